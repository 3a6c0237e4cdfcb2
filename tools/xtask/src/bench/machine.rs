//! The machine, the commit and the time in a run's file.

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bench_report::Machine;

use crate::tools::{asked, output, which};
use crate::workspace::Workspace;

/// The machine; `platform` is the system's name in the report, if it isn't the one that the system reports.
pub fn machine(workspace: &Workspace, platform: Option<&str>) -> Machine {
    let own = match std::env::consts::OS {
        "linux" => "Linux",
        "windows" => "Windows",
        "macos" => "macOS",
        other => other,
    };
    let platform = platform.unwrap_or(own);
    let cpu = cpu().unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    Machine {
        name: slug(&format!("{cpu} {platform}")),
        platform: platform.to_owned(),
        os: system().unwrap_or_else(|| own.to_owned()),
        cpu,
        cores: workspace.cores,
        governor: fs::read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
            .map(|text| text.trim().to_owned())
            .unwrap_or_default(),
        memory_bytes: memory().unwrap_or_default(),
    }
}

fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let text = output(&which(program)?, arguments)?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn cpu() -> Option<String> {
    if cfg!(target_os = "linux") {
        let info = fs::read_to_string("/proc/cpuinfo").ok()?;
        let name = info
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        return name.map(|(_, name)| name.trim().to_owned());
    }
    if cfg!(target_os = "macos") {
        return said("sysctl", &["-n", "machdep.cpu.brand_string"]);
    }
    let key = r"HKLM\HARDWARE\DESCRIPTION\System\CentralProcessor\0";
    let registry = said("reg", &["query", key, "/v", "ProcessorNameString"]);
    let name = registry
        .as_deref()
        .and_then(|text| text.split_once("REG_SZ"))
        .map(|(_, name)| name.trim().to_owned());
    name.or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok())
}

fn system() -> Option<String> {
    if cfg!(target_os = "linux") {
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
        let kernel = format!("Linux {}", kernel.trim());
        let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        let name = release
            .lines()
            .find_map(|line| line.strip_prefix("PRETTY_NAME="));
        return Some(match name {
            Some(name) => format!("{}, {kernel}", name.trim_matches('"')),
            None => kernel,
        });
    }
    if cfg!(target_os = "macos") {
        return said("sw_vers", &["-productVersion"]).map(|version| format!("macOS {version}"));
    }
    said("cmd", &["/c", "ver"])
}

fn memory() -> Option<u64> {
    if cfg!(target_os = "linux") {
        let info = fs::read_to_string("/proc/meminfo").ok()?;
        let line = info
            .lines()
            .find_map(|line| line.strip_prefix("MemTotal:"))?;
        let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
        return Some(kilobytes * 1024);
    }
    said("sysctl", &["-n", "hw.memsize"])?.parse().ok()
}

/// Lower-case letters, digits and hyphens.
pub fn slug(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words
        .map(str::to_ascii_lowercase)
        .collect::<Vec<_>>()
        .join("-")
}

/// The commit, short, and whether files differ from it that are no results or documents made of them.
pub fn commit(workspace: &Workspace) -> (String, bool) {
    let git = |arguments: &[&str]| {
        let (status, said, _) = asked(workspace.command("git").args(arguments)).ok()?;
        status.success().then(|| said.trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short", "HEAD"]).unwrap_or_else(|| "unknown".into());
    let status = git(&[
        "status",
        "--porcelain",
        "--",
        ".",
        ":!benches/results",
        ":!docs",
        ":!README.md",
    ]);
    (commit, status.is_none_or(|text| !text.is_empty()))
}

/// The time now, UTC, as `2026-11-21T12:00:00Z`.
pub fn now() -> String {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO);
    at(since.as_secs())
}

/// Days to a date by Howard Hinnant's `civil_from_days`: years begin in March there, so that leap days come last.
fn at(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_gives_a_folder_s_name() {
        assert_eq!(
            slug("Intel(R) Xeon(R) CPU @ 2.20GHz Windows (Wine 8)"),
            "intel-r-xeon-r-cpu-2-20ghz-windows-wine-8"
        );
    }

    #[test]
    fn seconds_are_a_date() {
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(at(1_795_262_399), "2026-11-21T11:59:59Z");
    }

    #[test]
    fn this_machine_is_known() {
        let workspace = Workspace::find().expect("the workspace is there");
        let machine = machine(&workspace, Some("A (B)"));
        assert_eq!(machine.platform, "A (B)");
        assert!(machine.name.ends_with("-a-b"), "{}", machine.name);
        assert!(machine.cores > 0 && !machine.os.is_empty());
    }
}
