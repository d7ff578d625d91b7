/** An application on Vert.x 4 that locks. */
package com.example.vertx;
