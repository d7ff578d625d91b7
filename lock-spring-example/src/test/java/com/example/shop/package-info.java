/** Tests of the shop as processes, on a real Redis. */
package com.example.shop;
