using System;
using System.IO;
using RustBridge;

string path = Path.Combine(AppContext.BaseDirectory, "plugin", args[0]);
Console.WriteLine(PluginDescription.Of(path).Name);
using Plugin plugin = Plugin.Load(path);
Console.WriteLine(plugin.Call("greet", """{"name":"Ada"}"""));
try
{
    Plugin.Load(Path.Combine(AppContext.BaseDirectory, "plugin", "another"));
}
catch (PluginException error)
{
    Console.WriteLine(error.Message);
}
