//! What loads the library that a client in Java is packaged with.

use super::names::Names;
use super::services::ServiceGroup;
use super::text::{Doc, call};
use crate::source::Source;

impl Names<'_> {
    /// The methods that load the packaged library. If the plugin needs services, all of them take these.
    pub(super) fn packaged(
        &self,
        out: &mut Source,
        library: &str,
        given: &[ServiceGroup<'_, '_>],
        needs: bool,
    ) {
        if !needs {
            self.load_packaged(out, false, &[]);
            self.load_packaged(out, true, &[]);
        }
        if !given.is_empty() {
            self.load_packaged(out, true, given);
        }
        // The names of `java.lang` may be those of types of the plugin.
        out.line(format_args!(
            r#"
private static java.lang.String packagedLibrary() {{
  java.lang.String os =
      java.lang.System.getProperty("os.name", "unknown").toLowerCase(java.util.Locale.ROOT);
  java.lang.String arch =
      java.lang.System.getProperty("os.arch", "unknown").toLowerCase(java.util.Locale.ROOT);
  switch (arch) {{
    case "amd64", "x64", "x86-64" -> arch = "x86_64";
    case "arm64" -> arch = "aarch64";
    default -> {{}}
  }}
  if (os.startsWith("windows")) {{
    return "native/windows-" + arch + "/{library}.dll";
  }}
  if (os.startsWith("mac") || os.startsWith("darwin")) {{
    return "native/macos-" + arch + "/lib{library}.dylib";
  }}
  return "native/" + os.replace(" ", "") + "-" + arch + "/lib{library}.so";
}}"#
        ));
    }

    fn load_packaged(&self, out: &mut Source, config: bool, given: &[ServiceGroup<'_, '_>]) {
        let class = &self.client;
        let mut doc = Doc::of("", "").replaced(
            "Loads the plugin that is packaged with this class. It's closed with the client.",
        );
        let mut parameters = Vec::new();
        if config {
            let about = "the configuration and the other options of the instance";
            doc = doc.tag("@param config", about);
            parameters.push("PluginConfig config".to_owned());
        }
        for one in given {
            doc = doc.tag(format!("@param {}", one.name), one.about());
            parameters.push(one.parameter());
        }
        doc.tag("@return", "the client")
            .tag(
                "@throws io.github.rustbridge.PluginException",
                "if the plugin can't be loaded, or the package has no library for this system",
            )
            .write(out);
        call(
            out,
            &format!("public static {class} load"),
            &parameters,
            " {",
        );
        out.indented(|out| {
            let mut inside = vec![
                format!("{class}.class"),
                "packagedLibrary()".to_owned(),
                if config {
                    "config"
                } else {
                    "PluginConfig.defaults()"
                }
                .to_owned(),
            ];
            inside.extend(given.iter().map(|one| one.name.clone()));
            call(out, "return loadResource", &inside, ";");
        });
        out.line("}");
    }
}
