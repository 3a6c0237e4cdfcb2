//! `rustbridge build --package`: a program in each language depends on a plugin's package and nothing else of it, and calls it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::node;
use super::user::User;
use crate::dotnet;
use crate::python;
use crate::step::Step;

/// What every program prints.
const SAID: &str = "Hallo, Ada!";

/// The package managers, each with the folder of our packages that it takes.
const KINDS: [(&str, &str); 4] = [
    ("java", "maven"),
    ("csharp", "nuget"),
    ("node", "node"),
    ("python", "python"),
];

/// Adds to a plugin's manifest what packages need besides what a new one has.
pub fn prepare(project: &Path) -> Result<()> {
    let manifest = project.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).context("reading the plugin's manifest")?;
    let text = text.replacen("[package]\n", "[package]\nlicense = \"MIT\"\n", 1);
    let framework = dotnet::newest_framework();
    let names = format!(
        "\n[package.metadata.rustbridge.package]\njava = {{ group = \"com.example\" }}\ncsharp = {{ framework = \"{framework}\" }}\n"
    );
    fs::write(&manifest, text + &names).context("writing the plugin's manifest")
}

/// Makes the packages of the user's project, and runs the programs.
pub fn check(step: &mut Step<'_>, user: &User<'_>, folder: &Path) -> Result<()> {
    let kinds = KINDS
        .iter()
        .filter(|(_, ours)| user.packages.join(ours).is_dir());
    let kinds: Vec<&str> = kinds.map(|(kind, _)| *kind).collect();
    let made = user.folder.join("target/packages");
    if kinds.contains(&"node") {
        // What the client is compiled by was fetched for the tests.
        let work = made.join("build/node");
        fs::create_dir_all(&work).context("making a folder")?;
        node::lock(step.workspace, &work)?;
    }
    let mut build = user.rustbridge(step)?;
    step.run(build.args(["build", "--package", &kinds.join(",")]))?;
    for kind in kinds {
        let place = folder.join(kind);
        let source = Sources {
            ours: user.packages,
            made: &made.join(kind),
        };
        let user = User {
            folder: &place,
            ..*user
        };
        let said = match kind {
            "java" => source.java(step, &user),
            "csharp" => source.csharp(step, &user),
            "node" => source.node(step, &user),
            _ => source.python(step, &user),
        }?;
        let problem = (!said.contains(SAID)).then_some(said);
        let what = format!("a program depends on a plugin's package alone, in {kind}");
        step.check(&what, problem)?;
    }
    Ok(())
}

/// Where a program gets packages from.
struct Sources<'s> {
    ours: &'s Path,
    made: &'s Path,
}

impl Sources<'_> {
    fn java(&self, step: &mut Step<'_>, user: &User<'_>) -> Result<String> {
        let repositories = [self.ours.join("maven"), self.made.to_owned()];
        let repositories = repositories.iter().enumerate().map(|(number, place)| {
            format!(
                "<repository><id>r{number}</id><url>file://{}</url></repository>",
                place.display()
            )
        });
        let pom = POM.replace("REPOSITORIES", &repositories.collect::<String>());
        write(user.folder, "pom.xml", &pom)?;
        write(user.folder, "src/main/java/Main.java", JAVA)?;
        let mut run = user.command(step, "mvn")?;
        step.run(run.args(["-q", "compile", "exec:exec"]))
    }

    fn csharp(&self, step: &mut Step<'_>, user: &User<'_>) -> Result<String> {
        let sources = [self.ours.join("nuget"), self.made.to_owned()];
        let sources = sources.iter().enumerate().map(|(number, place)| {
            format!("<add key=\"s{number}\" value=\"{}\" />", place.display())
        });
        let config = format!(
            "<configuration><packageSources><clear />{}</packageSources></configuration>\n",
            sources.collect::<String>()
        );
        write(user.folder, "nuget.config", &config)?;
        let project = PROJECT.replace("FRAMEWORK", &dotnet::newest_framework());
        write(user.folder, "program.csproj", &project)?;
        write(user.folder, "Program.cs", CSHARP)?;
        let mut run = user.command(step, "dotnet")?;
        step.run(run.arg("run"))
    }

    fn node(&self, step: &mut Step<'_>, user: &User<'_>) -> Result<String> {
        write(user.folder, "package.json", "{\"private\": true}\n")?;
        write(user.folder, "main.mjs", NODE)?;
        let mut install = user.command(step, "npm")?;
        install
            .args(["install", "--offline", "--no-audit", "--no-fund"])
            // Its cache would go on giving the package of another day, which has the same version.
            .arg("--cache")
            .arg(user.folder.join("cache"))
            .arg(self.ours.join("node").join(node::file()))
            .arg(self.made.join("first-minute-0.1.0.tgz"));
        step.run(&mut install)?;
        let mut run = user.command(step, "node")?;
        step.run(run.arg("main.mjs"))
    }

    fn python(&self, step: &mut Step<'_>, user: &User<'_>) -> Result<String> {
        write(user.folder, "main.py", PYTHON)?;
        let python: PathBuf = python::interpreter(step.workspace)?.to_owned();
        let mut install = user.command(step, &python)?;
        install
            .args(["-m", "pip", "install", "--quiet", "--no-index"])
            .args(["--disable-pip-version-check", "--target", "site"])
            .arg("--find-links")
            .arg(self.ours.join("python"))
            .arg("--find-links")
            .arg(self.made)
            .arg("first-minute==0.1.0");
        step.run(&mut install)?;
        let mut run = user.command(step, &python)?;
        // The environment's own package would be found before one on the path.
        run.args(["-S", "main.py"]).env("PYTHONPATH", "site");
        step.run(&mut run)
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    let file = folder.join(name);
    let place = file.parent().context("a file has a folder")?;
    fs::create_dir_all(place).with_context(|| format!("making {}", place.display()))?;
    fs::write(&file, text).with_context(|| format!("writing {}", file.display()))
}

const JAVA: &str = r#"import com.example.first_minute.FirstMinute;
import com.example.first_minute.Person;
import java.util.List;

public final class Main {
  public static void main(String[] arguments) {
    try (FirstMinute plugin = FirstMinute.load()) {
      System.out.println(plugin.greet(new Person("Ada", List.of("de"))).text());
    }
  }
}
"#;

const POM: &str = r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>program</artifactId>
  <version>1</version>
  <properties>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <maven.compiler.release>17</maven.compiler.release>
  </properties>
  <repositories>REPOSITORIES</repositories>
  <dependencies>
    <dependency><groupId>com.example</groupId><artifactId>first-minute</artifactId><version>0.1.0</version></dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.5.0</version>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.16.0</version>
      </plugin>
      <plugin>
        <groupId>org.codehaus.mojo</groupId>
        <artifactId>exec-maven-plugin</artifactId>
        <version>3.6.4</version>
        <configuration>
          <executable>${java.home}/bin/java</executable>
          <arguments>
            <argument>-classpath</argument>
            <classpath/>
            <argument>Main</argument>
          </arguments>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
"#;

const PROJECT: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>FRAMEWORK</TargetFramework>
    <DisableTransitiveFrameworkReferenceDownloads>true</DisableTransitiveFrameworkReferenceDownloads>
    <InvariantGlobalization>true</InvariantGlobalization>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="FirstMinute" Version="0.1.0" />
  </ItemGroup>
</Project>
"#;

const CSHARP: &str = r#"using FirstMinuteClient;
using FirstMinute plugin = FirstMinuteClient.FirstMinute.Load();
System.Console.WriteLine(plugin.Greet(new Person("Ada", ["de"])).Text);
"#;

const NODE: &str = r#"import { FirstMinute } from 'first-minute';
const plugin = FirstMinute.load();
console.log((await plugin.greet({ name: 'Ada', languages: ['de'] })).text);
await plugin.close();
"#;

const PYTHON: &str = r#"from first_minute import FirstMinute, Person
with FirstMinute.load() as plugin:
    print(plugin.greet(Person("Ada", ["de"])).text)
"#;
