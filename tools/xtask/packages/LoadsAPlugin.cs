using System;
using RustBridge;

// Calls hello-plugin with what the package has brought and nothing else.
using Plugin hello = Plugin.Load(args[0]);
Console.WriteLine($"package: {hello.Call("greet", """{"name":"Ada"}""")}");
