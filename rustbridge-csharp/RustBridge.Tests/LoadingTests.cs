using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Files that are no plugins, and files that change under us.</summary>
public sealed class LoadingTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("rustbridge-tests-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void A_truncated_file_is_refused_wherever_it_ends()
    {
        byte[] image = File.ReadAllBytes(TestPlugins.Hello);
        foreach (int length in new[] { 0, 1, 16, 63, 64, 1_000, 4_096, image.Length / 2, image.Length - 4_096, image.Length - 64 })
        {
            Assert.Equal(Status.InvalidArgument, Refused(Written("truncated", image[..length])).Status);
        }
    }

    [Fact]
    public void Random_bytes_are_refused_with_and_without_a_librarys_beginning()
    {
        var random = new Random(20_240_229);
        byte[] image = File.ReadAllBytes(TestPlugins.Hello);
        for (int round = 0; round < 50; round++)
        {
            var bytes = new byte[random.Next(1, 20_000)];
            random.NextBytes(bytes);
            Assert.Equal(Status.InvalidArgument, Refused(Written("random", bytes)).Status);
            // Behind the magic number everything is nonsense.
            image.AsSpan(0, Math.Min(20, bytes.Length)).CopyTo(bytes);
            PluginException refused = Refused(Written("random", bytes));
            Assert.True(refused.Status is Status.InvalidArgument or Status.FailedPrecondition, refused.ToString());
        }
    }

    [Fact]
    public void Text_is_refused_and_the_message_names_the_file()
    {
        string file = Written("notes.txt", "this is no library\n"u8.ToArray());
        PluginException refused = Refused(file);
        Assert.Equal(Status.InvalidArgument, refused.Status);
        Assert.Contains(file, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_folder_or_nothing_is_refused()
    {
        PluginException folder = Refused(_folder.FullName);
        Assert.Contains(_folder.FullName, folder.Message, StringComparison.Ordinal);
        PluginException nothing = Refused(Path.Combine(_folder.FullName, "größer 🦀.so"));
        Assert.Equal(Status.NotFound, nothing.Status);
        Assert.Contains("größer 🦀.so", nothing.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => Plugin.Load(""));
        Assert.Throws<ArgumentNullException>(() => Plugin.Load((string)null!));
        Assert.Equal(Status.InvalidArgument, Refused("\ud800").Status);
        Assert.ThrowsAny<PluginException>(() => Plugin.Load("hello\0.so"));
    }

    [Fact]
    public void A_library_that_is_no_plugin_is_refused()
    {
        Assert.Equal(Status.InvalidArgument, Refused(TestPlugins.File("rustbridge")).Status);
        Assert.Equal(Status.InvalidArgument, Refused(TestPlugins.File("fault_no_symbol")).Status);
        Assert.Equal(Status.FailedPrecondition, Refused(TestPlugins.File("fault_abi_major")).Status);
    }

    [Fact]
    public void A_file_of_any_name_may_be_overwritten_and_deleted_while_it_is_loaded()
    {
        string file = Written("größer 🦀 plugin", File.ReadAllBytes(TestPlugins.Hello));
        using Plugin plugin = Plugin.Load(file);
        File.WriteAllBytes(file, new byte[100]);
        Assert.Equal("""{"result":3}""", plugin.Call("math.add", """{"a":1,"b":2}"""));
        File.Delete(file);
        Assert.Equal("""{"result":3}""", plugin.Call("math.add", """{"a":1,"b":2}"""));
        Assert.Equal(Status.NotFound, Refused(file).Status);
    }

    [Fact]
    public async Task Instances_are_made_and_closed_on_many_threads_at_once()
    {
        await Task.WhenAll(Enumerable.Range(0, 8).Select(number => Waiting.OnThread(() =>
        {
            for (int round = 0; round < 50; round++)
            {
                using Plugin plugin = number % 2 == 0 ? TestPlugins.LoadHello() : TestPlugins.LoadConformance();
                Assert.Equal(number % 2 == 0 ? "hello" : "conformance", plugin.Name);
                using Plugin bad = Assert.Throws<PluginException>(() => Plugin.Load("no plugin"u8)) is not null
                    ? TestPlugins.LoadHello(new PluginConfig { Name = $"{number}" })
                    : throw new InvalidOperationException();
                Assert.Equal($"{number}", bad.Name);
            }

            return true;
        })));
    }

    private static PluginException Refused(string file) => Assert.Throws<PluginException>(() => Plugin.Load(file).Dispose());

    private string Written(string name, byte[] bytes)
    {
        string file = Path.Combine(_folder.FullName, name);
        File.WriteAllBytes(file, bytes);
        return file;
    }
}
