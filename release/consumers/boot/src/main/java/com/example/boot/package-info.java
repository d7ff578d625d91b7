/** An application on Spring Boot that locks. */
package com.example.boot;
