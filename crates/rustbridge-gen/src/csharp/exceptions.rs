//! The exceptions that calls throw when a handler fails with an error that has a type.

use super::names::Names;
use super::text::doc;
use crate::source::Source;

impl Names<'_> {
    /// The exception that carries an error of that type.
    pub(super) fn exception(&self, out: &mut Source, error: u32, class: &str) {
        let names = self.of(error);
        let (ty, codec) = (&names.name, &names.codec);
        let prose = &self.contract.types.definitions()[error as usize].doc;
        doc(
            out,
            "summary",
            &match &**prose {
                "" => format!("A call has failed with `{ty}`."),
                prose => prose.to_owned(),
            },
        );
        out.line(format_args!(
            r#"public sealed class {class} : PluginException
{{
    private {class}(PluginException failed, {ty} error)
        : base(failed) => Error = error;

    /// <summary>The error, which says by its fields what has failed.</summary>
    public {ty} Error {{ get; }}

    internal static {class} Read(PluginException failed, ref WireReader reader) => new(failed, {codec}.Read(ref reader));
}}"#
        ));
    }
}
