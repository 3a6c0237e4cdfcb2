using System;
using System.ComponentModel;
using System.Globalization;

namespace RustBridge.Internal;

/// <summary>Reads levels from configurations, by their own names and by those of .NET's <c>LogLevel</c>.</summary>
internal sealed class LogLevelConverter : TypeConverter
{
    public override bool CanConvertFrom(ITypeDescriptorContext? context, Type sourceType) =>
        sourceType == typeof(string) || base.CanConvertFrom(context, sourceType);

    public override object? ConvertFrom(ITypeDescriptorContext? context, CultureInfo? culture, object value) =>
        value is string text ? Level(text.Trim()) : base.ConvertFrom(context, culture, value);

    private static PluginLogLevel Level(string text)
    {
        PluginLogLevel? known = text.ToUpperInvariant() switch
        {
            "NONE" => PluginLogLevel.Off,
            "CRITICAL" => PluginLogLevel.Error,
            "WARNING" => PluginLogLevel.Warn,
            "INFORMATION" => PluginLogLevel.Info,
            _ => null,
        };
        if (known is { } level)
        {
            return level;
        }

        // A number that is no level is refused where levels are checked.
        return Enum.TryParse(text, ignoreCase: true, out PluginLogLevel own)
            ? own
            : throw new FormatException(
                $"`{text}` isn't a level: expected Off, Error, Warn, Info, Debug, Trace, or .NET's None, Critical, Warning or Information");
    }
}
