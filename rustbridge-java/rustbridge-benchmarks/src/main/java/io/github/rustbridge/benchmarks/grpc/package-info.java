/**
 * The same work over gRPC: the client in Java of {@code benches/grpc}, whose README says how it's
 * run.
 */
package io.github.rustbridge.benchmarks.grpc;
