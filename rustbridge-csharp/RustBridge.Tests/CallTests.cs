using Xunit;

namespace RustBridge.Tests;

public sealed class CallTests
{
    [Fact]
    public void Text_goes_in_and_text_comes_out()
    {
        using Plugin hello = TestPlugins.LoadHello();
        Assert.Equal(
            """{"greeting":"Hello, Ada! Welcome to rustbridge."}""", hello.Call("greet", """{"name":"Ada"}"""));
    }

    [Fact]
    public void Structs_go_in_and_structs_come_out()
    {
        using Plugin hello = TestPlugins.LoadHello();
        Method add = hello.Method("math.add", Encoding.Pod);
        Assert.Equal(new Sum(42), add.CallRaw<Add, Sum>(new Add(20, 22)));
    }
}
