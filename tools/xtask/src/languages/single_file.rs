//! A program in C# that is published as one file, with its plugin inside.

use std::fs;

use anyhow::{Context as _, Result};

use crate::dotnet::{self, Dotnet, emptied, natives};
use crate::step::Step;

/// No registry has it, so the package is ours whatever sources are asked.
const VERSION: &str = "0.0.0-single-file";

/// What a user writes: the library lies where the build of `rustbridge new` puts it, below the program's folder.
const PROGRAM: &str = r#"using System;
using System.IO;
using RustBridge;

string path = Path.Combine(AppContext.BaseDirectory, "plugin", args[0]);
Console.WriteLine(PluginDescription.Of(path).Name);
using Plugin plugin = Plugin.Load(path);
Console.WriteLine(plugin.Call("greet", """{"name":"Ada"}"""));
try
{
    Plugin.Load(Path.Combine(AppContext.BaseDirectory, "plugin", "another"));
}
catch (PluginException error)
{
    Console.WriteLine(error.Message);
}
"#;

/// The program in one file finds the libraries that it extracts, and its error names the path that it was given.
pub fn suite(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let dotnet = Dotnet::find()?;
    let folder = emptied(workspace.target.join("xtask").join("csharp-single-file"))?;
    let packages = folder.join("packages");
    let runtimes = natives(workspace, &folder)?;
    let mut command = dotnet.command(workspace, "pack");
    command
        .arg("rustbridge-csharp/RustBridge/RustBridge.csproj")
        .args(["--configuration=Release", "--no-build"])
        .arg(format!("-p:Version={VERSION}"))
        .arg(format!("-p:RustBridgeRuntimes={}", runtimes.display()))
        .arg("--output")
        .arg(&packages);
    step.run(&mut command)?;
    let library = workspace.cdylib("hello_plugin");
    let name = library.file_name().context("a library has a name")?;
    let framework = dotnet::newest_framework();
    let project = format!(
        r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>{framework}</TargetFramework>
    <Nullable>enable</Nullable>
    <InvariantGlobalization>true</InvariantGlobalization>
    <DisableTransitiveFrameworkReferenceDownloads>true</DisableTransitiveFrameworkReferenceDownloads>
    <PublishSingleFile>true</PublishSingleFile>
    <IncludeNativeLibrariesForSelfExtract>true</IncludeNativeLibrariesForSelfExtract>
    <DebugType>none</DebugType>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="RustBridge" Version="{VERSION}" />
    <None Include="plugin/*" CopyToOutputDirectory="PreserveNewest" />
  </ItemGroup>
</Project>
"#
    );
    // Beside the user's own sources, which may be mirrors.
    let sources = format!(
        r#"<configuration>
  <packageSources><add key="rustbridge" value="{}" /></packageSources>
  <config><add key="globalPackagesFolder" value="{}" /></config>
</configuration>
"#,
        packages.display(),
        folder.join("cache").display()
    );
    fs::create_dir(folder.join("plugin")).context("making the plugin's folder")?;
    fs::copy(&library, folder.join("plugin").join(name))
        .with_context(|| format!("copying {}", library.display()))?;
    for (file, text) in [
        ("Single.csproj", &*project),
        ("Program.cs", PROGRAM),
        ("nuget.config", &*sources),
        // Not those of this repository, if the folder lies in it.
        ("Directory.Build.props", "<Project />\n"),
        (".editorconfig", "root = true\n"),
    ] {
        fs::write(folder.join(file), text).with_context(|| format!("writing {file}"))?;
    }
    let published = folder.join("published");
    let mut command = dotnet.command(workspace, "publish");
    command
        .arg(folder.join("Single.csproj"))
        .args(["--configuration=Release", "--no-self-contained"])
        .arg(format!("--runtime={}", dotnet::runtime_identifier()))
        .arg("--output")
        .arg(&published);
    step.run(&mut command)?;
    let program = published
        .join("Single")
        .with_extension(std::env::consts::EXE_EXTENSION);
    let files = fs::read_dir(&published)
        .with_context(|| format!("reading {}", published.display()))?
        .count();
    let problem = (files != 1).then(|| format!("{files} files in {}", published.display()));
    step.check("it's one file", problem)?;
    let mut command = workspace.command(program);
    command
        .arg("hello_plugin")
        .env("DOTNET_BUNDLE_EXTRACT_BASE_DIR", folder.join("extracted"))
        .envs(dotnet.root().map(|root| ("DOTNET_ROOT", root)))
        .env_remove("RUSTBRIDGE_LIBRARY");
    let said = step.run(&mut command)?;
    let another = published.join("plugin").join("another");
    let expected = said.contains("Hello, Ada") && said.contains(&another.display().to_string());
    let problem = (!expected).then_some(said);
    step.check("it finds the extracted files", problem)
}
