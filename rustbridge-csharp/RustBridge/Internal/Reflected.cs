using System;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace RustBridge.Internal;

/// <summary>Types that JSON is written of and read into by reflection, for programs that are neither trimmed nor compiled ahead of time.</summary>
internal static class Reflected
{
    internal const string Unreferenced =
        "The types are inspected by reflection, which doesn't see members that trimming has removed. Use the overload with JsonTypeInfo.";

    internal const string Dynamic = "Reflection on types may need code that is made at run time. Use the overload with JsonTypeInfo.";

    /// <summary>How a type is written and read.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="options">The user's options; null is what <c>System.Net.Http.Json</c> uses too.</param>
    [RequiresUnreferencedCode(Unreferenced)]
    [RequiresDynamicCode(Dynamic)]
    internal static JsonTypeInfo<T> Type<T>(JsonSerializerOptions? options)
    {
        options ??= Web.Options;
        options.MakeReadOnly(populateMissingResolver: true);
        return (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
    }

    /// <summary>The same for a call, whose headers never come if that can't be.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="options">The user's options.</param>
    /// <param name="call">What the call carries.</param>
    [RequiresUnreferencedCode(Unreferenced)]
    [RequiresDynamicCode(Dynamic)]
    internal static JsonTypeInfo<T> Type<T>(JsonSerializerOptions? options, CallOptions? call)
    {
        try
        {
            return Type<T>(options);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(call, problem);
            throw;
        }
    }

    /// <summary>Apart, so that whoever brings options never makes these.</summary>
    private static class Web
    {
        // Immutable from its first use on, and its cache knows types, not plugins.
        internal static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web);
    }
}
