// The shop's host in C#: calls methods of a basket, serves prices, follows a parcel, and cancels a delivery.
//
// Usage: ShopHost PATH-OF-SHOP-PLUGIN
using System;
using System.Diagnostics;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using RustBridge;

long began = Stopwatch.GetTimestamp();

var config = new PluginConfig
{
    LogLevel = PluginLogLevel.Info,
    Log = record => Tell("log", record.Message),
    // The plugin calls this service, on any thread on which the plugin's code runs.
    Services = [PluginService.Json<string, int>("prices.of", Price)],
};
using (Plugin shop = Plugin.Load(args[0], config))
{
    // An object is a value that stays in the plugin. Disposing of it releases it.
    using (PluginObject basket = shop.Call<object?, PluginObject>("enter", null, CallOptions.Default))
    {
        foreach (string article in (string[])["bread", "milk"])
        {
            int count = basket.Call<string, int>("Basket.put", article);
            Tell("object", $"{article} is put into the basket, which holds {count}");
        }

        Tell("object", $"the basket costs {basket.Call("Basket.total", "")} in all");
    }

    // A stream delivers each item as soon as it's ready. The window allows one item at a time.
    var slowly = new CallOptions { WindowItems = 1 };
    await foreach (string place in shop.Method("follow").StreamAsync<int, string>(7, slowly))
    {
        Tell("stream", place);
    }

    Tell("stream", "that was the last");

    // A call that would take an hour, but is cancelled. In the plugin, its future is dropped while it waits.
    using var patience = new CancellationTokenSource();
    ValueTask<string> delivery = shop.Method("deliver").CallAsync("60", patience.Token);
    Tell("cancel", "a delivery begins that takes an hour");
    await Task.Delay(20);
    await patience.CancelAsync();
    try
    {
        await delivery;
    }
    catch (OperationCanceledException cancelled)
    {
        Tell("cancel", $"its token is cancelled, and it ends: {cancelled.GetType().Name}");
    }

    shop.FlushLogs(TimeSpan.FromSeconds(1));
}

int Price(string article)
{
    int cents = article == "bread" ? 250 : 120;
    Tell("callback", $"the plugin asks the host for the price of {article}: {cents}");
    return cents;
}

// Prints an event, and the time since the program started.
void Tell(string what, string text)
{
    var at = (long)Stopwatch.GetElapsedTime(began).TotalMilliseconds;
    Console.WriteLine(JsonSerializer.Serialize(
        new { host = "C#", transport = "P/Invoke", happened = what, text, at_ms = at }));
}
