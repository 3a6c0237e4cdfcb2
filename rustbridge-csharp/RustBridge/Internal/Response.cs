using System;
using System.Text;

namespace RustBridge.Internal;

/// <summary>
/// Takes what the functions with an <c>rb_response</c> give: none of them is called in a hot loop, so they get no
/// storage and hand over.
/// </summary>
internal static unsafe class Response
{
    /// <summary>Copies text out and releases the response.</summary>
    internal static string Text(int status, ref RbResponse response)
    {
        fixed (RbResponse* pointer = &response)
        {
            try
            {
                var bytes = new ReadOnlySpan<byte>(pointer->Data, checked((int)pointer->Len));
                return status == 0 ? Encoding.UTF8.GetString(bytes) : throw Failures.Of(status, bytes);
            }
            finally
            {
                Native.ResponseRelease(pointer);
            }
        }
    }

    /// <summary>Throws if the status isn't OK, and releases the response anyway.</summary>
    internal static void Check(int status, ref RbResponse response) => _ = Text(status, ref response);
}
