/* Part of rustbridge_wire.hpp. What keeps a function out of the way of what goes well. */
#ifndef RUSTBRIDGE_WIRE_COLD_HPP
#define RUSTBRIDGE_WIRE_COLD_HPP

#if defined(__GNUC__)
#define RUSTBRIDGE_COLD __attribute__((noinline, cold))
#elif defined(_MSC_VER)
#define RUSTBRIDGE_COLD __declspec(noinline)
#else
#define RUSTBRIDGE_COLD
#endif

#endif  // RUSTBRIDGE_WIRE_COLD_HPP
