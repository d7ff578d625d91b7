/** A program on the module path that locks. */
package com.example.modular;
