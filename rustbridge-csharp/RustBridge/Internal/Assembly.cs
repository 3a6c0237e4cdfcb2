using System.Runtime.CompilerServices;

// Everything that crosses the boundary is blittable, so no call needs a marshalling stub.
[assembly: DisableRuntimeMarshalling]

// Storage on the stack is written before it's read.
[module: SkipLocalsInit]
