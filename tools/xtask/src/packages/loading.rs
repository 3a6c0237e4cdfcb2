//! Programs that load hello-plugin by a package and nothing else, on this system or for Windows under Wine.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::making::{JARS, VERSION, jar, npm_file, unpacked_wheel};
use crate::dotnet::{self, Dotnet};
use crate::files::{self, copy, emptied};
use crate::java::Java;
use crate::node;
use crate::step::Step;

/// What a program prints that has called hello-plugin.
pub const SAID: &str = "Hello, Ada!";

/// Where the programs run.
pub struct System<'s> {
    /// The folder of packages.
    pub packages: &'s Path,
    /// Where programs are built: has nothing else.
    pub folder: &'s Path,
    /// Starts a program of the system.
    pub command: &'s dyn Fn(&Path) -> Command,
    /// A path as programs of the system know it.
    pub path: &'s dyn Fn(&Path) -> String,
    /// What separates paths on a class path.
    pub separator: &'static str,
    /// hello-plugin's file.
    pub plugin: PathBuf,
}

impl System<'_> {
    /// A program without a variable that names our libraries.
    fn program(&self, program: &Path) -> Command {
        let mut command = (self.command)(program);
        for variable in [
            "RUSTBRIDGE_LIBRARY",
            "RUSTBRIDGE_PLUGIN_DIR",
            "RUSTBRIDGE_NODE_ADDON",
        ] {
            command.env_remove(variable);
        }
        command
    }

    /// Runs a program whose last argument is the plugin, and checks that it prints the plugin's answer after these words.
    fn says_hello(
        &self,
        step: &mut Step<'_>,
        what: &str,
        command: &mut Command,
        first: &str,
    ) -> Result<()> {
        let said = step.run(command.arg((self.path)(&self.plugin)))?;
        let is_right = |line: &str| line.starts_with(first) && line.contains(SAID);
        let problem = (!said.lines().any(is_right)).then_some(said);
        step.check(
            &format!("{what} calls a plugin with the package and nothing else"),
            problem,
        )
    }

    /// Loads it by a wheel, which is unpacked: an installed package would be found before one on the path.
    pub fn python(
        &self,
        step: &mut Step<'_>,
        python: &Path,
        wheel: &Path,
        prepare: impl Fn(&mut Command),
    ) -> Result<PathBuf> {
        let site = unpacked_wheel(step, wheel, &emptied(self.folder.join("python"))?)?;
        let call = step.workspace.root.join("tools/xtask/packages/call.py");
        for backend in ["native", "ctypes"] {
            let mut command = self.program(python);
            prepare(&mut command);
            command
                .arg("-S")
                .arg((self.path)(&call))
                .env("PYTHONPATH", (self.path)(&site))
                .env("PYTHONDONTWRITEBYTECODE", "1")
                .env("RUSTBRIDGE_BACKEND", backend);
            let what = format!("CPython by {backend}");
            self.says_hello(step, &what, &mut command, &format!("{backend}: "))?;
        }
        Ok(site)
    }

    /// Loads it by each jar that has a library.
    pub fn java(&self, step: &mut Step<'_>, java: &Path) -> Result<()> {
        let folder = emptied(self.folder.join("java"))?;
        let api = jar(self.packages, "rustbridge");
        let mut compile = step.workspace.command(Java::find()?.program("javac"));
        compile
            .args(["--release", "17", "-d"])
            .arg(&folder)
            .arg("-cp")
            .arg(&api);
        step.run(compile.arg("tools/xtask/packages/LoadsAPlugin.java"))?;
        for (module, _) in JARS.iter().filter(|(_, library)| library.is_some()) {
            let path = [&folder, &api, &jar(self.packages, module)].map(|path| (self.path)(path));
            let mut command = self.program(java);
            command
                .args(["--enable-native-access=ALL-UNNAMED", "-cp"])
                .arg(path.join(self.separator))
                .arg("LoadsAPlugin");
            let backend = module.trim_start_matches("rustbridge-");
            let what = format!("a JVM by {module}");
            self.says_hello(step, &what, &mut command, &format!("{backend}: "))?;
        }
        Ok(())
    }

    /// Publishes a program for a platform, and returns its folder.
    fn published(
        &self,
        step: &mut Step<'_>,
        program: &str,
        more: &[&str],
        properties: &str,
    ) -> Result<PathBuf> {
        let folder = emptied(self.folder.join("csharp").join(program))?;
        let source = step
            .workspace
            .root
            .join("tools/xtask/packages")
            .join(program);
        copy(&source, &folder.join("Program.cs"))?;
        // Not those of this repository, in which the folder may lie.
        files::write(&folder.join("Directory.Build.props"), "<Project />\n")?;
        files::write(&folder.join(".editorconfig"), "root = true\n")?;
        let framework = dotnet::newest_framework();
        let project = format!(
            r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>{framework}</TargetFramework>
    <InvariantGlobalization>true</InvariantGlobalization>
    <DisableTransitiveFrameworkReferenceDownloads>true</DisableTransitiveFrameworkReferenceDownloads>
    {properties}
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="RustBridge" Version="{VERSION}" />
    <None Include="plugin/*" CopyToOutputDirectory="PreserveNewest" />
  </ItemGroup>
</Project>
"#
        );
        files::write(&folder.join("Program.csproj"), project)?;
        copy(
            &self.plugin,
            &folder.join("plugin").join(files::name(&self.plugin)),
        )?;
        let published = folder.join("published");
        let mut publish = Dotnet::find()?.command(step.workspace, "publish");
        publish
            .arg(folder.join("Program.csproj"))
            .arg("--configuration=Release")
            .args(more)
            .arg("--output")
            .arg(&published)
            .arg(format!(
                "-p:RestoreAdditionalProjectSources={}",
                self.packages.join("nuget").display()
            ))
            // A cache would keep the package of another day, which has the same version.
            .arg(format!(
                "-p:RestorePackagesPath={}",
                folder.join("packages").display()
            ));
        step.run(&mut publish)?;
        Ok(published)
    }

    /// Loads it by the NuGet package in a program that has .NET inside.
    pub fn dotnet(&self, step: &mut Step<'_>, platform: &str) -> Result<()> {
        let runtime = format!("--runtime={platform}");
        let more = [&*runtime, "--self-contained"];
        let published = self.published(step, "LoadsAPlugin.cs", &more, "")?;
        let mut command = self.program(&published.join("Program.exe"));
        // Wine 8 ends the process when .NET maps its code a second time to write it.
        command.env("DOTNET_EnableWriteXorExecute", "0");
        self.says_hello(step, ".NET", &mut command, "package: ")
    }

    /// Loads it in a program that is published as one file, with the plugin inside. The program finds the libraries that it extracts, and its
    /// error names the path that it was given.
    pub fn dotnet_in_one_file(&self, step: &mut Step<'_>) -> Result<()> {
        let runtime = format!("--runtime={}", dotnet::runtime_identifier());
        let properties = "<PublishSingleFile>true</PublishSingleFile>
    <IncludeNativeLibrariesForSelfExtract>true</IncludeNativeLibrariesForSelfExtract>
    <DebugType>none</DebugType>";
        let more = [&*runtime, "--no-self-contained"];
        let published = self.published(step, "OneFile.cs", &more, properties)?;
        let count = files::entries(&published)?.len();
        let problem = (count != 1).then(|| format!("{count} files in {}", published.display()));
        step.check("a C# program is published as one file", problem)?;
        let program = published
            .join("Program")
            .with_extension(std::env::consts::EXE_EXTENSION);
        let mut command = self.program(&program);
        command
            .arg("hello_plugin")
            .env(
                "DOTNET_BUNDLE_EXTRACT_BASE_DIR",
                published.with_file_name("extracted"),
            )
            .envs(Dotnet::find()?.root().map(|root| ("DOTNET_ROOT", root)));
        let said = step.run(&mut command)?;
        let another = published
            .join("plugin")
            .join("another")
            .display()
            .to_string();
        let problem = (!said.contains(SAID) || !said.contains(&another)).then_some(said);
        step.check(
            "it finds the extracted files, and its error names the given path",
            problem,
        )
    }

    /// Loads it in a program of the Go module, which `build` builds.
    pub fn go(&self, step: &mut Step<'_>, mut build: Command, program: &str) -> Result<()> {
        const MODULE: &str = "github.com/rustbridge/rustbridge/rustbridge-go";
        let folder = emptied(self.folder.join("go/source"))?;
        let made = self.packages.join("go");
        let manifest = format!(
            "module program\n\ngo 1.24\n\nrequire {MODULE} v0.1.0\n\nreplace {MODULE} => {}\n",
            made.display()
        );
        files::write(&folder.join("go.mod"), manifest)?;
        let source = step.workspace.root.join("tools/xtask/packages/main.go");
        copy(&source, &folder.join("main.go"))?;
        // In a folder that has nothing else.
        let program = emptied(self.folder.join("go/alone"))?.join(program);
        build
            .arg(&program)
            .arg(".")
            .current_dir(&folder)
            .env("GOPROXY", "off")
            .env("GOFLAGS", "-mod=mod");
        step.run(&mut build)?;
        self.says_hello(step, "a program in Go", &mut self.program(&program), "")
    }

    /// Installs the npm package in a folder that has nothing else, and returns the folder.
    pub fn npm(&self, step: &mut Step<'_>) -> Result<PathBuf> {
        let folder = emptied(self.folder.join("node"))?;
        files::write(&folder.join("package.json"), "{\"private\": true}\n")?;
        let mut install = node::npm(step)?;
        install
            .args(["install", "--offline", "--no-audit", "--no-fund"])
            // Its cache would keep the package of another day, which has the same version.
            .arg("--cache")
            .arg(folder.join("cache"))
            .arg(self.packages.join("node").join(npm_file()))
            .current_dir(&folder);
        step.run(&mut install)?;
        Ok(folder)
    }

    /// Loads it by the installed npm package, in each kind of module.
    pub fn node(&self, step: &mut Step<'_>, folder: &Path, node: &Path) -> Result<()> {
        for program in files::entries(&step.workspace.root.join("tools/xtask/packages/node"))? {
            let name = program.file_name().context("a program has a name")?;
            copy(&program, &folder.join(name))?;
            let mut command = self.program(node);
            command.arg(name).current_dir(folder);
            let what = format!("{} in Node", name.display());
            self.says_hello(step, &what, &mut command, "")?;
        }
        Ok(())
    }
}
