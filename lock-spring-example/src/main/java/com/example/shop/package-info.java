/** A shop that sells each item once, in as many processes as there are. It uses what any application can use. */
package com.example.shop;
