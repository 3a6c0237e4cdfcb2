using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests.Clients.Types;

/// <summary>Streams of typed clients, and what calls of theirs carry besides.</summary>
public sealed class TypedStreamTests : IDisposable
{
    private static readonly Person Ada = new("Ada", 36, "ada@example.org");

    private static readonly Shape[] Shapes =
        [new Shape.Nothing(), new Shape.Circle(2.5), new Shape.Polygon([new Point(0, 1), new Point(2, 3)])];

    private readonly Types _types = Types.Load(TestPlugins.Types);

    public void Dispose() => _types.Dispose();

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1000)]
    public async Task A_stream_gives_values(uint times)
    {
        IEnumerable<Person> expected = Enumerable.Range(0, (int)times).Select(years => Ada with { Age = 36 + (uint)years });
        Assert.Equal(expected, await All(_types.RepeatAsync(new Repeat(Ada, times))));
    }

    [Fact]
    public async Task A_stream_may_be_left_early()
    {
        await foreach (Person person in _types.RepeatAsync(new Repeat(Ada, uint.MaxValue)))
        {
            Assert.Equal(Ada, person);
            break;
        }

        using var patience = new CancellationTokenSource();
        int came = 0;
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (Person _ in _types.RepeatAsync(new Repeat(Ada, uint.MaxValue), cancellationToken: patience.Token))
            {
                came++;
                patience.Cancel();
            }
        });
        Assert.True(came > 0);
    }

    [Fact]
    public async Task A_stream_that_breaks_off_gives_its_items_first()
    {
        var ages = new List<uint>();
        PluginException error = await Assert.ThrowsAsync<PluginException>(async () =>
        {
            await foreach (Person person in _types.RepeatAsync(new Repeat(Ada with { Age = uint.MaxValue - 2 }, 10)))
            {
                ages.Add(person.Age);
            }
        });
        Assert.Equal(Status.OutOfRange, error.Status);
        Assert.Equal([uint.MaxValue - 2, uint.MaxValue - 1, uint.MaxValue], ages);
    }

    [Fact]
    public void A_request_of_a_stream_is_checked_before_it_begins()
    {
        ArgumentException error = Assert.Throws<ArgumentException>(() => _types.RepeatAsync(new Repeat(new Person("\ud800", 1), 1)));
        Assert.Contains("repeat: request.person.name: ", error.Message, StringComparison.Ordinal);
        Assert.Contains("repeat: request", Assert.Throws<ArgumentException>(() => _types.RepeatAsync(null!)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1000)]
    public async Task Items_are_sent_and_answered(int count)
    {
        Person[] people = [.. Enumerable.Range(0, count).Select(age => new Person($"person {age}", (uint)age))];
        var expected = new PagePerson(people, (ulong)count + 5);
        Assert.Equal(expected, await _types.CollectAsync(5, people));
        Assert.Equal(expected, await _types.CollectAsync(5, OneByOne(people)));
    }

    [Fact]
    public async Task An_item_that_does_not_fit_is_told_and_ends_the_stream()
    {
        Person[] wrong = [Ada, new Person("\ud800", 1)];
        foreach (Func<Task> call in new Func<Task>[]
        {
            () => _types.CollectAsync(0, wrong).AsTask(),
            () => _types.CollectAsync(0, OneByOne(wrong)).AsTask(),
        })
        {
            ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(call);
            Assert.Contains("collect: items[1].name: ", error.Message, StringComparison.Ordinal);
            Assert.Equal("items", error.ParamName);
        }

        ArgumentException both = await Assert.ThrowsAsync<ArgumentException>(
            () => All(_types.ReshapeAsync([Shapes[0], new Shape.Polygon(null!)])));
        Assert.Contains("reshape: items[1]", both.Message, StringComparison.Ordinal);
        ArgumentException none = await Assert.ThrowsAsync<ArgumentException>(() => _types.CollectAsync(0, [null!]).AsTask());
        Assert.Contains("collect: items[0]", none.Message, StringComparison.Ordinal);
        Assert.Equal(1ul, (await _types.CollectAsync(0, [Ada])).Total);
    }

    [Fact]
    public async Task What_a_source_throws_ends_the_stream()
    {
        static IEnumerable<Person> Broken()
        {
            yield return Ada;
            throw new InvalidOperationException("the source is broken");
        }

        InvalidOperationException error =
            await Assert.ThrowsAsync<InvalidOperationException>(() => _types.CollectAsync(0, Broken()).AsTask());
        Assert.Equal("the source is broken", error.Message);
        await Assert.ThrowsAsync<ArgumentNullException>(() => _types.CollectAsync(0, (IEnumerable<Person>)null!).AsTask());
        Assert.Throws<ArgumentNullException>(() => _types.ReshapeAsync((IAsyncEnumerable<Shape>)null!));
    }

    [Fact]
    public async Task Items_go_both_ways()
    {
        Shape[] many = [.. Enumerable.Range(0, 300).Select(place => Shapes[place % Shapes.Length])];
        Assert.Equal(many, await All(_types.ReshapeAsync(many)));
        Assert.Equal(many, await All(_types.ReshapeAsync(OneByOne(many))));
        Assert.Empty(await All(_types.ReshapeAsync(Array.Empty<Shape>())));
        await foreach (Shape shape in _types.ReshapeAsync(Endless()))
        {
            Assert.Equal(Shapes[1], shape);
            break;
        }
    }

    [Fact]
    public async Task Options_go_along()
    {
        var soon = new CallOptions { Timeout = Waiting.Long };
        Assert.Equal(Ada, _types.Person(Ada, soon));
        Assert.Equal(3ul, _types.Length("abc", soon));
        Assert.Equal(Ada, await _types.LaterAsync(Ada, soon));
        Assert.Equal([Ada], await All(_types.RepeatAsync(new Repeat(Ada, 1), soon)));
        Assert.Equal(1ul, (await _types.CollectAsync(0, [Ada], soon)).Total);
        Assert.Equal(Shapes, await All(_types.ReshapeAsync(Shapes, soon)));
        // More than the memory that is tried first.
        double[] doubles = [.. Enumerable.Range(0, 100_000).Select(number => (double)number)];
        Assert.Equal(doubles, _types.Doubles(doubles, soon));
        var reply = new CallReply();
        Assert.Equal(Ada, _types.Person(Ada, new CallOptions { Metadata = new Metadata { { "who", "tests" } }, Reply = reply }));
        Assert.Empty(reply.Trailers);
        Assert.Empty(reply.Objects);
    }

    [Fact]
    public async Task Headers_are_asked_for_by_every_kind_of_call()
    {
        foreach (Func<CallOptions, Task> call in new Func<CallOptions, Task>[]
        {
            with => Task.FromResult(_types.Person(Ada, with)),
            with => _types.LaterAsync(Ada, with).AsTask(),
            with => _types.CollectAsync(0, [Ada], with).AsTask(),
            with => All(_types.RepeatAsync(new Repeat(Ada, 1), with)),
            with => All(_types.ReshapeAsync(Shapes, with)),
        })
        {
            // This plugin says none, and that comes, too.
            var reply = new CallReply { IncludeHeaders = true };
            Task<Metadata> headers = reply.HeadersAsync;
            Assert.False(headers.IsCompleted);
            await call(new CallOptions { Reply = reply });
            Assert.Empty(await headers.WaitAsync(Waiting.Long));
        }
    }

    [Fact]
    public async Task Headers_of_a_call_that_can_not_begin_fail_with_it()
    {
        Person odd = Ada with { Name = "\ud800" };
        foreach (Func<CallOptions, Task> call in new Func<CallOptions, Task>[]
        {
            with => Task.FromResult(_types.Person(odd, with)),
            with => _types.LaterAsync(odd, with).AsTask(),
            with => All(_types.RepeatAsync(new Repeat(odd, 1), with)),
            with => _types.CollectAsync(0, (IEnumerable<Person>)null!, with).AsTask(),
            with => All(_types.ReshapeAsync((IEnumerable<Shape>)null!, with)),
        })
        {
            var reply = new CallReply { IncludeHeaders = true };
            ArgumentException thrown = await Assert.ThrowsAnyAsync<ArgumentException>(() => call(new CallOptions { Reply = reply }));
            Assert.True(reply.HeadersAsync.IsFaulted);
            Assert.Same(thrown, await Assert.ThrowsAnyAsync<ArgumentException>(() => reply.HeadersAsync));
        }
    }

    [Fact]
    public async Task Options_end_calls()
    {
        var over = new CallOptions { Timeout = TimeSpan.Zero };
        foreach (Func<Task> call in new Func<Task>[]
        {
            () => Task.FromResult(_types.Later(Ada, over)),
            () => _types.LaterAsync(Ada, over).AsTask(),
            () => _types.CollectAsync(0, [Ada], over).AsTask(),
            () => All(_types.RepeatAsync(new Repeat(Ada, 1), over)),
            () => All(_types.ReshapeAsync(Shapes, over)),
        })
        {
            Assert.Equal(Status.DeadlineExceeded, (await Assert.ThrowsAsync<PluginException>(call)).Status);
        }

        var cancelled = new CallOptions { CancellationToken = new CancellationToken(canceled: true) };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _types.LaterAsync(Ada, cancelled).AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => All(_types.RepeatAsync(new Repeat(Ada, 1), cancelled)));
    }

    private static async IAsyncEnumerable<T> OneByOne<T>(IEnumerable<T> items)
    {
        foreach (T item in items)
        {
            await Task.Yield();
            yield return item;
        }
    }

    private static IEnumerable<Shape> Endless()
    {
        while (true)
        {
            yield return Shapes[1];
        }
    }

    private static async Task<List<T>> All<T>(IAsyncEnumerable<T> items)
    {
        var all = new List<T>();
        await foreach (T item in items)
        {
            all.Add(item);
        }

        return all;
    }
}
