/** The server for the other programs. */
package com.example.server;
