/** A program on the class path that locks. */
package com.example.classpath;
