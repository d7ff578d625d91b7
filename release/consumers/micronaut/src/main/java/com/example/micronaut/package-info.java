/** An application on Micronaut that locks. */
package com.example.micronaut;
