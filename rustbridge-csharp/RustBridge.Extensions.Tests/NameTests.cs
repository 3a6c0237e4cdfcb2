using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using Microsoft.Extensions.Hosting;
using RustBridge.Extensions.DependencyInjection;
using RustBridge.Extensions.Logging;
using Xunit;

namespace RustBridge.Extensions.Tests;

/// <summary>Names of ours beside those that projects have imported without saying so: a name that is two types' is an error where it's used.</summary>
public sealed class NameTests
{
    /// <summary>
    /// What the SDKs Microsoft.NET.Sdk, .Web and .Worker import by <c>ImplicitUsings</c>, and what else stands beside us in most sources.
    /// </summary>
    private static readonly string[] Imported =
    [
        "System",
        "System.Collections.Generic",
        "System.IO",
        "System.Linq",
        "System.Net.Http",
        "System.Net.Http.Json",
        "System.Text",
        "System.Text.Json",
        "System.Text.Json.Serialization",
        "System.Threading",
        "System.Threading.Tasks",
        "Microsoft.AspNetCore.Builder",
        "Microsoft.AspNetCore.Hosting",
        "Microsoft.AspNetCore.Http",
        "Microsoft.AspNetCore.Routing",
        "Microsoft.Extensions.Configuration",
        "Microsoft.Extensions.DependencyInjection",
        "Microsoft.Extensions.Diagnostics.HealthChecks",
        "Microsoft.Extensions.Hosting",
        "Microsoft.Extensions.Logging",
        "Microsoft.Extensions.Options",
    ];

    [Fact]
    public void No_type_of_ours_is_called_as_one_that_is_imported()
    {
        Assembly[] ours = [typeof(Plugin).Assembly, typeof(LoggingExtensions).Assembly, typeof(RustBridgePluginOptions).Assembly];
        Dictionary<string, string> theirs = Theirs();
        // So that a folder that isn't found isn't taken for one without clashes.
        Assert.Contains("LogLevel", theirs.Keys);
        Assert.Contains("Encoding", theirs.Keys);
        Assert.Contains("HttpClient", theirs.Keys);
        string[] clashes =
        [
            .. ours.SelectMany(assembly => assembly.GetExportedTypes())
                .Where(type => !type.IsNested && theirs.ContainsKey(type.Name))
                .Select(type => $"{type} and {theirs[type.Name]}"),
        ];
        Assert.Empty(clashes);
    }

    /// <summary>The public types in those namespaces, by name, of .NET, of ASP.NET if it's installed, and of the packages beside these tests.</summary>
    private static Dictionary<string, string> Theirs()
    {
        string runtime = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        string shared = Path.GetDirectoryName(Path.GetDirectoryName(runtime))!;
        string web = Path.Combine(shared, "Microsoft.AspNetCore.App");
        IEnumerable<string> folders = [runtime, Path.GetDirectoryName(typeof(IHost).Assembly.Location)!];
        folders = folders.Concat(Directory.Exists(web) ? Directory.GetDirectories(web) : []);
        var found = new Dictionary<string, string>();
        foreach (string file in folders.SelectMany(folder => Directory.GetFiles(folder, "*.dll")))
        {
            using var image = new PEReader(File.OpenRead(file));
            if (!image.HasMetadata)
            {
                continue;
            }

            MetadataReader reader = image.GetMetadataReader();
            foreach (TypeDefinition type in reader.TypeDefinitions.Select(reader.GetTypeDefinition))
            {
                string space = reader.GetString(type.Namespace);
                if ((type.Attributes & TypeAttributes.VisibilityMask) == TypeAttributes.Public && Imported.Contains(space))
                {
                    found[reader.GetString(type.Name)] = $"{space}.{reader.GetString(type.Name)}";
                }
            }
        }

        return found;
    }
}
