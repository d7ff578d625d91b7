/** A gRPC server that locks. */
package com.example.grpc;
