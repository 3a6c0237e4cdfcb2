//! A NuGet package with the compiled client, and the plugin's libraries where NuGet has those of each system.

use std::process::Command;

use rustbridge_gen::Language;

use super::parts::{Kind, Made, Parts, check_name, copy, emptied, is_readme, rustbridge, xml};
use super::platform::Platform;
use crate::client::write;
use crate::problem::Problem;
use crate::project::Project;
use crate::tool;

const WHAT: &str = "a package for C#";

/// The oldest framework that the binding supports.
const FRAMEWORK: &str = "net8.0";

fn id(project: &Project) -> Result<String, Problem> {
    let given = project.manifest.names.csharp.id.clone();
    let id = given.unwrap_or_else(|| rustbridge_gen::client_name(&project.name));
    let is_part = |part: &str| {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        !part.is_empty() && part.chars().all(is_letter)
    };
    let is_valid = id.len() <= 100 && id.split(['.', '-']).all(is_part);
    check_name(&id, "the ID of a NuGet package", "csharp.id", is_valid)?;
    Ok(id)
}

pub(super) fn check(project: &Project) -> Result<(), Problem> {
    id(project)?;
    rustbridge(project)?.part("nuget", "the NuGet packages")?;
    tool::check("dotnet", WHAT)
}

pub(super) fn make(parts: &Parts<'_>) -> Result<Made, Problem> {
    let id = id(parts.project)?;
    let manifest = &parts.project.manifest;
    let work = emptied(parts.work(Kind::CSharp))?;
    let namespace = manifest.names.csharp.namespace.clone();
    parts.client(Language::CSharp, namespace, &work.join("client"))?;
    parts.place(&work.join("native"), Platform::rid)?;
    for text in &parts.texts {
        copy(text, &work.join("texts"))?;
    }
    // Those of a folder above would count otherwise.
    for name in [
        "Directory.Build.props",
        "Directory.Build.targets",
        "Directory.Packages.props",
    ] {
        write(&work.join(name), b"<Project />\n")?;
    }
    let source = rustbridge(parts.project)?.part("nuget", "the NuGet packages")?;
    let sources = sources(&source.display().to_string(), &users_sources()?);
    write(&work.join("nuget.config"), sources.as_bytes())?;
    let file = work.join(format!("{id}.csproj"));
    write(&file, project(parts, &id).as_bytes())?;
    let output = parts.output(Kind::CSharp)?;
    let mut pack = Command::new("dotnet");
    pack.args([
        "pack",
        "--configuration",
        "Release",
        "--nologo",
        "--verbosity",
        "quiet",
    ])
    .arg(&file)
    .arg("--output")
    .arg(&output)
    .current_dir(&work)
    .env("DOTNET_NOLOGO", "1")
    // A process that stays would keep the output open.
    .env("MSBUILDDISABLENODEREUSE", "1");
    tool::output(&mut pack, WHAT)?;
    let version = &manifest.version;
    // The name of a package's file leaves out what comes behind a plus.
    let plain = version.split('+').next().unwrap_or(version);
    Ok(Made {
        kind: Kind::CSharp,
        files: vec![output.join(format!("{id}.{plain}.nupkg"))],
        line: format!("<PackageReference Include=\"{id}\" Version=\"{plain}\" />"),
    })
}

/// Where NuGet takes packages from: ours from where rustbridge is installed, since elsewhere the name may be another's, and frameworks
/// from the user's sources.
fn sources(ours: &str, others: &[String]) -> String {
    let mut mapping = String::new();
    for other in others {
        mapping.push_str(&format!(
            "    <packageSource key=\"{}\">\n      <package pattern=\"*\" />\n    </packageSource>\n",
            xml(other)
        ));
    }
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<configuration>
  <packageSources>
    <add key="rustbridge" value="{}" />
  </packageSources>
  <packageSourceMapping>
    <clear />
    <packageSource key="rustbridge">
      <package pattern="RustBridge*" />
    </packageSource>
{mapping}  </packageSourceMapping>
</configuration>
"#,
        xml(ours)
    )
}

/// The names of the user's sources.
fn users_sources() -> Result<Vec<String>, Problem> {
    let mut list = Command::new("dotnet");
    list.args(["nuget", "list", "source"])
        .env("DOTNET_CLI_UI_LANGUAGE", "en");
    let listed = tool::output(&mut list, WHAT)?;
    Ok(names_of(&listed))
}

/// The names in NuGet's list: `  1.  nuget.org [Enabled]`, with the address in the next line.
fn names_of(listed: &str) -> Vec<String> {
    let lines = listed.lines().filter_map(|line| {
        let (number, rest) = line.trim().split_once('.')?;
        number.parse::<u32>().ok()?;
        let name = rest.trim().strip_suffix(" [Enabled]")?;
        Some(name.to_owned())
    });
    lines.filter(|name| name != "rustbridge").collect()
}

fn project(parts: &Parts<'_>, id: &str) -> String {
    let manifest = &parts.project.manifest;
    let framework = manifest.names.csharp.framework.as_deref();
    let mut properties = String::new();
    let mut property = |name: &str, value: &str| {
        properties.push_str(&format!("    <{name}>{}</{name}>\n", xml(value)));
    };
    property("TargetFramework", framework.unwrap_or(FRAMEWORK));
    property("AssemblyName", id);
    property("PackageId", id);
    property("Version", &manifest.version);
    property("Description", &parts.description);
    if !manifest.authors.is_empty() {
        property("Authors", &manifest.authors.join("; "));
    }
    // NuGet takes licences with an SPDX identifier alone as an expression.
    if !parts.license.contains("LicenseRef-") {
        property("PackageLicenseExpression", &parts.license);
    }
    if let Some(url) = &manifest.repository {
        property("RepositoryUrl", url);
    }
    if parts.texts.iter().any(|path| is_readme(path)) {
        property("PackageReadmeFile", "README.md");
    }
    let natives: String = parts
        .libraries
        .iter()
        .map(|(platform, _)| {
            let rid = platform.rid();
            format!("    <None Include=\"native/{rid}/*\" Pack=\"true\" PackagePath=\"runtimes/{rid}/native/\" />\n")
        })
        .collect();
    format!(
        r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
{properties}    <Nullable>enable</Nullable>
    <LangVersion>12.0</LangVersion>
    <GenerateDocumentationFile>true</GenerateDocumentationFile>
    <NoWarn>$(NoWarn);CS1591</NoWarn>
    <ManagePackageVersionsCentrally>false</ManagePackageVersionsCentrally>
    <NuGetAudit>false</NuGetAudit>
    <DisableTransitiveFrameworkReferenceDownloads>true</DisableTransitiveFrameworkReferenceDownloads>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="RustBridge" Version="{}" />
{natives}    <None Include="texts/*" Pack="true" PackagePath="/" />
  </ItemGroup>
</Project>
"#,
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_sources_are_used_for_all_but_ours() {
        let listed = "Registered Sources:\n  1.  nuget.org [Enabled]\n      https://api.nuget.org/v3/index.json\n  \
                      2.  Old & slow [Disabled]\n      https://example.com/1.0\n  3.  A & B [Enabled]\n      /srv/packages\n";
        let names = names_of(listed);
        assert_eq!(names, ["nuget.org", "A & B"]);
        let text = sources("/our packages", &names);
        assert!(text.contains("<packageSource key=\"A &amp; B\">"), "{text}");
        assert!(text.contains("value=\"/our packages\""), "{text}");
    }
}
