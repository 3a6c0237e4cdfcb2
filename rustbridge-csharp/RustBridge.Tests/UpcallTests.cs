using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>What native code may do with a number of ours: anything, at any time.</summary>
public sealed unsafe class UpcallTests
{
    [Fact]
    public void A_sink_that_was_dropped_takes_no_record_and_may_be_dropped_again()
    {
        var records = new List<LogRecord>();
        RbLogSink sink = new LogSink(records.Add).ToNative();
        RbLogRecord record = Record();
        fixed (byte* here = "here"u8, there = "there"u8)
        {
            record.Instance = new RbText { Data = here, Len = 4 };
            sink.Log(sink.UserData, &record);
            Assert.Equal("here", Assert.Single(records).Instance);
            record.Instance = new RbText { Data = there, Len = 5 };
            sink.Log(sink.UserData, &record);
            sink.Log(sink.UserData, &record);
            Assert.Same(records[1].Instance, records[2].Instance);
            records.Clear();
            record.Instance = default;
        }

        sink.Log(sink.UserData, &record);
        sink.Drop(sink.UserData);
        sink.Log(sink.UserData, &record);
        sink.Drop(sink.UserData);
        RbLogSink other = new LogSink(records.Add).ToNative();
        sink.Log(sink.UserData, &record);
        sink.Drop(sink.UserData);
        Assert.Single(records);
        other.Log(other.UserData, &record);
        other.Drop(other.UserData);
        Assert.Equal(["", ""], records.Select(one => one.Instance));
    }

    [Fact]
    public void Made_up_numbers_call_nobody()
    {
        RbLogSink sink = new LogSink(_ => { }).ToNative();
        RbLogRecord record = Record();
        foreach (ulong number in new ulong[] { 0, 1, ulong.MaxValue })
        {
            sink.Log((void*)number, &record);
            sink.Drop((void*)number);
        }

        var stranger = new Target();
        void* another = Upcalls.Open(stranger);
        sink.Log(another, &record);
        Assert.Empty(stranger.Failures);
        sink.Drop(another);
        sink.Drop(sink.UserData);
    }

    [Fact]
    public void What_an_upcall_throws_is_told_to_its_object_and_goes_no_further()
    {
        var target = new Target();
        void* number = Upcalls.Open(target);
        int argument = 7;
        Upcalls.Run<Target, int>(number, &argument, &Fail);
        Assert.Equal("7 fails", Assert.Single(target.Failures).Message);
        target.FailsToo = true;
        Upcalls.Run<Target, int>(number, &argument, &Fail);
        Assert.Equal(2, target.Failures.Count);
        Upcalls.Drop(number);
        Upcalls.Run<Target, int>(number, &argument, &Fail);
        Assert.Equal(2, target.Failures.Count);
    }

    [Fact]
    public Task Every_sink_is_let_go_of_however_it_ends() => ChildProcess.Succeeds<SinksEnd>();

    private static void Fail(Target target, int* argument) => throw new InvalidOperationException($"{*argument} fails");

    private static RbLogRecord Record() => new() { Size = (uint)sizeof(RbLogRecord), Level = (uint)PluginLogLevel.Info };

    private sealed class Target : UpcallTarget
    {
        internal List<Exception> Failures { get; } = [];

        internal bool FailsToo { get; set; }

        internal override void OnFailed(Exception error)
        {
            Failures.Add(error);
            if (FailsToo)
            {
                throw error;
            }
        }
    }

    /// <summary>In a process of its own, where nobody else has a sink.</summary>
    internal sealed class SinksEnd : IScenario
    {
        public Task Run()
        {
            string fault = TestPlugins.File("fault_plugin");
            var config = new PluginConfig { Json = """{"log":true}""", Log = _ => { } };
            for (int round = 0; round < 20; round++)
            {
                using (Plugin plugin = Plugin.Load(fault, config))
                {
                    Assert.Equal(1, Upcalls.Count);
                    plugin.SetLogSink(_ => throw new InvalidOperationException("as it likes"));
                    Assert.Equal(1, Upcalls.Count);
                    plugin.Call("log.flood", """{"n":20}""");
                    plugin.SetLogSink(null);
                    Assert.Equal(0, Upcalls.Count);
                    plugin.SetLogSink(_ => { });
                    plugin.Close();
                    Assert.Equal(0, Upcalls.Count);
                    Assert.Throws<PluginException>(() => plugin.SetLogSink(_ => { }));
                    Assert.Equal(0, Upcalls.Count);
                }

                Assert.Throws<PluginException>(() => Plugin.Load(fault, config with { Json = """{"create":"error"}""" }));
                Assert.Throws<PluginException>(() => Plugin.Load("/no/such/plugin.so", config));
                Assert.Equal(0, Upcalls.Count);
            }

            return Task.CompletedTask;
        }
    }
}
