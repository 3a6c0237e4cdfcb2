//! Hosts in C call everything with everything; each is a program, so whatever would kill a host kills only it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use rustbridge_conformance::{libraries, system};

use crate::support::{self, Link, hang};

/// The plugin in C, `tests/c/plugin.c`.
fn c_plugin_file() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        support::source("tests/c/plugin.c").library(&support::folder("hosts"), "c_plugin")
    })
}

/// Its path, for a host.
fn c_plugin() -> PathBuf {
    system::argument(c_plugin_file()).into()
}

/// The plugin whose calls end later, `tests/c/puppet.c`, for a host.
fn puppet() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let file = BUILT.get_or_init(|| {
        support::source("tests/c/puppet.c").library(&support::folder("hosts"), "puppet")
    });
    system::argument(file).into()
}

fn hello_plugin() -> PathBuf {
    system::argument(&libraries::path("hello-plugin")).into()
}

/// Built anew for each test, in a folder of its own: what's being run can't be written.
fn host(test: &str, name: &str, link: Link) -> Command {
    let program = support::source(&format!("tests/c/{name}.c"))
        .link(link)
        .program(&support::folder(test), name);
    support::command(&program)
}

/// A program that hangs is looked at before it's ended: whether it's ours that waits or Wine's shows only then.
fn passes(name: &str, command: &mut Command) {
    let mut seen = None;
    let limit = child_process::RUN * support::soak();
    let ended = child_process::run_or_look(command.stdin(Stdio::null()), limit, |process| {
        seen = Some(hang::look(process));
    })
    .unwrap();
    let said = ended.said();
    match (ended.status, seen) {
        (Some(status), _) => assert!(
            status.success() && said.contains(&format!("{name}: ok")),
            "{command:?}: {status}\n{said}"
        ),
        (None, seen) => panic!(
            "{command:?} hung and was ended after {} s; its threads were seen at {seen:?}; it said:\n{said}",
            limit.as_secs()
        ),
    }
}

#[test]
fn no_argument_however_wrong_gets_more_than_a_status() {
    passes(
        "arguments",
        host("shared", "arguments", Link::Shared).arg(c_plugin()),
    );
}

#[test]
fn no_argument_however_wrong_gets_more_than_a_status_with_the_library_linked_in() {
    passes(
        "arguments",
        host("static", "arguments", Link::Static).arg(c_plugin()),
    );
}

#[test]
fn requests_of_every_size_and_kind_of_wrongness_get_a_clear_answer() {
    passes(
        "requests",
        host("shared", "requests", Link::Shared)
            .arg(c_plugin())
            .arg(hello_plugin()),
    );
}

#[test]
fn requests_get_the_same_answers_with_the_library_linked_in() {
    passes(
        "requests",
        host("static", "requests", Link::Static)
            .arg(c_plugin())
            .arg(hello_plugin()),
    );
}

#[test]
fn a_call_with_the_storage_as_an_argument_gives_a_length_or_an_outcome() {
    passes(
        "into",
        host("shared", "into", Link::Shared)
            .arg(c_plugin())
            .arg(hello_plugin()),
    );
}

#[test]
fn a_call_with_the_storage_as_an_argument_works_with_the_library_linked_in() {
    passes(
        "into",
        host("static", "into", Link::Static)
            .arg(c_plugin())
            .arg(hello_plugin()),
    );
}

#[test]
fn a_request_that_another_thread_changes_is_copied_before_the_plugin_sees_it() {
    passes(
        "shared",
        host("shared", "shared", Link::Shared)
            .arg(c_plugin())
            .arg(hello_plugin()),
    );
}

#[test]
fn calls_with_a_header_carry_what_it_says_and_bring_trailers_back() {
    passes("with", host("shared", "with", Link::Shared).arg(c_plugin()));
}

#[test]
fn closing_waits_for_calls_and_refuses_later_ones_a_thousand_times() {
    // `cargo xtask soak` says how many times as often.
    let factor = std::env::var("RUSTBRIDGE_SOAK").map_or(1, |factor| factor.parse().unwrap());
    let rounds: u32 = 1000 * factor;
    passes(
        "closing",
        host("shared", "closing", Link::Shared)
            .arg(c_plugin())
            .arg(rounds.to_string()),
    );
}

#[test]
fn threads_of_the_hosts_system_come_and_go_and_nothing_piles_up() {
    passes(
        "threads",
        host("shared", "threads", Link::Shared).arg(c_plugin()),
    );
}

#[test]
fn a_program_that_ends_in_the_midst_of_calls_and_records_ends_as_it_says() {
    let mut command = host("shared", "ending", Link::Shared);
    command.arg(c_plugin());
    if system::cross().is_some() {
        // Wine ends threads inside its own heap, whose lock Windows takes before it ends them. Who frees memory at the
        // very end, as what the C compiler adds to a library does, then finds the heap as they left it, and may turn in it
        // for ever. Without allocations meanwhile that is rare, but the system's own threads allocate as well. So what is
        // proved under Wine is that the program comes to its end and that no code of ours hangs there; that the process
        // goes away, and with which status, only for those runs in which Wine lets it.
        command.arg("calm");
    }
    let mut hangs = 0;
    for _ in 0..20 {
        let mut seen = None;
        let ended = child_process::run_or_look(&mut command, ENDING, |process| {
            seen = Some(hang::look(process));
        })
        .unwrap();
        let said = ended.said();
        assert!(said.contains("ending: ok"), "{seen:?}: {said}");
        match (ended.status, seen) {
            (Some(status), _) => assert_eq!(status.code(), Some(7), "{said}"),
            (None, Some(seen)) if system::cross().is_some() && seen.is_ntdll_alone() => {
                hangs += 1;
                eprintln!("Wine's ntdll hangs at the end of the program: {seen:?}");
            }
            (None, seen) => panic!("it doesn't end; its threads were seen at {seen:?}: {said}"),
        }
        if hangs == 3 {
            eprintln!("left it at that");
            break;
        }
    }
}

/// The program is over in a second, and runs beside much else.
const ENDING: Duration = Duration::from_secs(60);

/// A program that turns for ever in a library of its own, and one that waits.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_hang_is_ntdlls_only_if_nothing_else_runs_or_waits() {
    if system::cross().is_some() {
        return;
    }
    let folder = support::folder("hang");
    let source = |name: &str, text: &str| {
        let file = folder.join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let library = support::source(&source("turn.c", "void turn(void) { for (;;) { } }\n"))
        .library(&folder, "turn");
    let [ntdll, other] = ["ntdll.dll", "other.dll"].map(|name| folder.join(name));
    fs::copy(&library, &ntdll).unwrap();
    fs::copy(&library, &other).unwrap();
    let hangs = source(
        "hangs.c",
        "#include <dlfcn.h>\n#include <unistd.h>\nint main(int argc, char **argv) {\n  \
         void (*turn)(void);\n  if (argc > 1) {\n    *(void **)&turn = dlsym(dlopen(argv[1], RTLD_NOW), \"turn\");\n    \
         turn();\n  }\n  sleep(1000);\n  return 0;\n}\n",
    );
    let program = support::source(&hangs)
        .link(Link::Loader)
        .program(&folder, "hangs");
    let seen = |arguments: &[&Path]| {
        let mut seen = None;
        let mut command = Command::new(&program);
        let ended =
            child_process::run_or_look(command.args(arguments), Duration::from_millis(500), |id| {
                seen = Some(hang::look(id));
            });
        assert!(ended.unwrap().status.is_none());
        seen.unwrap()
    };
    let [in_ntdll, elsewhere, waiting] = [seen(&[&ntdll]), seen(&[&other]), seen(&[])];
    assert!(in_ntdll.is_ntdll_alone(), "{in_ntdll:?}");
    assert!(!elsewhere.is_ntdll_alone(), "{elsewhere:?}");
    assert!(!waiting.is_ntdll_alone(), "{waiting:?}");
}

#[test]
fn a_library_that_is_given_up_while_an_instance_is_open_stays() {
    passes(
        "unload",
        host("shared", "unload", Link::Loader)
            .arg(system::argument(&support::librustbridge()))
            .arg(c_plugin()),
    );
}

#[test]
fn records_arrive_in_order_and_a_sink_may_do_what_it_likes() {
    passes(
        "logging",
        host("shared", "logging", Link::Shared).arg(c_plugin()),
    );
}

#[cfg(unix)]
#[test]
fn a_plugin_calls_services_of_a_host_in_c() {
    let asker = support::source("tests/c/asker.c").library(&support::folder("services"), "asker");
    passes(
        "services",
        host("services", "services", Link::Shared).arg(system::argument(&asker)),
    );
}

#[test]
fn a_hosts_queue_answers_the_services_of_a_plugin_in_c() {
    let asker =
        support::source("tests/c/asker.c").library(&support::folder("service_queues"), "asker");
    passes(
        "service_queues",
        host("service_queues", "service_queues", Link::Shared).arg(system::argument(&asker)),
    );
}

#[test]
fn a_host_in_c_holds_objects_of_a_plugin_in_c() {
    let counters =
        support::source("tests/c/counters.c").library(&support::folder("objects"), "counters");
    passes(
        "objects",
        host("objects", "objects", Link::Shared).arg(system::argument(&counters)),
    );
}

#[test]
fn a_forked_child_is_told_so_and_may_load_anew() {
    if system::is_windows() {
        eprintln!("skipped: Windows has no fork");
        return;
    }
    passes("fork", host("shared", "fork", Link::Shared).arg(c_plugin()));
}

#[test]
fn calls_are_begun_cancelled_and_given_up_and_no_argument_gets_more_than_a_status() {
    passes(
        "operations",
        host("shared", "operations", Link::Shared).arg(puppet()),
    );
}

#[test]
fn calls_are_begun_with_the_library_linked_in() {
    passes(
        "operations",
        host("static", "operations", Link::Static).arg(puppet()),
    );
}

#[test]
fn streams_keep_to_what_was_asked_for_and_refuse_batches_that_cannot_be() {
    passes(
        "streams",
        host("shared", "streams", Link::Shared).arg(puppet()),
    );
}

#[test]
fn queues_have_one_poller_a_wakeup_and_arenas_of_any_size() {
    passes(
        "queues",
        host("shared", "queues", Link::Shared).arg(puppet()),
    );
}

#[cfg(unix)]
#[test]
fn a_forked_child_has_no_queues_and_no_operations() {
    if system::is_windows() {
        eprintln!("skipped: Windows has no fork");
        return;
    }
    passes(
        "fork_operations",
        host("shared", "fork_operations", Link::Shared).arg(puppet()),
    );
}

/// The host and the plugin that are there to be read, `examples/c/later.c` and `examples/plugins/c/later.c`.
#[test]
fn the_example_of_calls_that_end_later_says_what_came_of_each() {
    let folder = support::folder("later");
    let example = |file: &str| support::workspace().join("examples").join(file);
    let [plugin, host] = ["plugins/c/later.c", "c/later.c"].map(example);
    let plugin = support::source(plugin.to_str().unwrap()).library(&folder, "later_c");
    let plugin = system::argument(&plugin);
    let program = support::source(host.to_str().unwrap())
        .link(Link::Shared)
        .program(&folder, "later");
    let mut runs = vec![support::command(&program)];
    if support::have_valgrind() {
        runs.push(support::under_valgrind(&support::command(&program)));
    }
    for mut run in runs {
        let said = support::run(run.arg(&plugin));
        for line in [
            "one: OK",
            "fast: OK",
            "late: DEADLINE_EXCEEDED",
            "cancelled: CANCELLED",
            "countdown: 10 9 8 7",
            "countdown: 6 5 4 3",
            "countdown: 2 1",
            "countdown: OK",
            "sum: 5050",
            "called back: OK",
            "open: CANCELLED",
        ] {
            assert_eq!(
                said.lines().filter(|said| *said == line).count(),
                1,
                "{line}: {said}"
            );
        }
        assert!(
            said.contains("closing: {\"code\":\"DEADLINE_EXCEEDED\""),
            "{said}"
        );
        // It may name others too, which have been heard of and whose last thread is just leaving.
        let pending = said.split("\"pending\":[").nth(1).unwrap_or_default();
        let pending = pending.split(']').next().unwrap_or_default();
        assert!(pending.contains("\"method\":\"wait (pod)\"}"), "{said}");
        assert!(!said.contains("detached"), "{said}");
        assert_eq!(said.lines().count(), 12, "{said}");
    }
}

/// A copy of the plugin in C with some of its bytes changed.
fn changed_plugin(name: &str, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
    let mut bytes = fs::read(c_plugin_file()).unwrap();
    change(&mut bytes);
    let path = support::folder("files").join(name);
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn files_that_are_no_plugin_are_refused_and_run_no_code() {
    let mut files = Host::new("files");
    files.refuses("INVALID_ARGUMENT", changed_plugin("empty", Vec::clear));
    files.refuses(
        "INVALID_ARGUMENT",
        changed_plugin("text", |bytes| *bytes = b"#!/bin/sh\nexit 1\n".to_vec()),
    );
    files.refuses(
        "INVALID_ARGUMENT",
        changed_plugin("one_byte", |bytes| bytes.truncate(1)),
    );
    let len = fs::metadata(c_plugin_file()).unwrap().len() as usize;
    for part in 1..16 {
        let name = format!("truncated_to_{part}_of_16");
        files.refuses(
            "INVALID_ARGUMENT",
            changed_plugin(&name, |bytes| bytes.truncate(len * part / 16)),
        );
    }
    // A library without the symbol: our own.
    files.refuses("INVALID_ARGUMENT", support::librustbridge());
    // A program that isn't a library has no business here either, and neither has a source.
    files.refuses(
        "INVALID_ARGUMENT",
        Path::new(support::CRATE).join("tests/c/plugin.c"),
    );
    if cfg!(target_os = "linux") && !system::is_windows() {
        // e_machine, at 18: what nobody who reads this has.
        files.refuses(
            "FAILED_PRECONDITION",
            changed_plugin("other_machine", |bytes| {
                bytes[18..20].copy_from_slice(&[8, 0])
            }),
        );
        // EI_CLASS, at 4: 32 bits.
        files.refuses(
            "FAILED_PRECONDITION",
            changed_plugin("other_width", |bytes| bytes[4] = 1),
        );
    }
    passes("files", &mut files.0);
}

/// The program that loads what has to be refused.
struct Host(Command);

impl Host {
    fn new(name: &str) -> Host {
        Host(host("shared", name, Link::Shared))
    }

    fn refuses(&mut self, status: &str, file: PathBuf) {
        self.0.arg(status).arg(system::argument(&file));
    }
}

/// What the memory checkers run: the same programs, with fewer rounds and without the 100 MB.
fn checked_runs() -> [(&'static str, Vec<PathBuf>); 10] {
    let c = c_plugin();
    let asker =
        support::source("tests/c/asker.c").library(&support::folder("checked_asker"), "asker");
    [
        ("arguments", vec![c.clone()]),
        ("requests", vec![c.clone(), hello_plugin(), "small".into()]),
        ("into", vec![c.clone(), hello_plugin()]),
        ("with", vec![c.clone()]),
        ("closing", vec![c.clone(), "20".into()]),
        ("logging", vec![c]),
        ("operations", vec![puppet()]),
        ("streams", vec![puppet()]),
        ("queues", vec![puppet()]),
        ("service_queues", vec![asker]),
    ]
}

#[test]
fn a_memory_checker_finds_nothing_in_the_hosts() {
    if support::have_valgrind() {
        for (name, arguments) in checked_runs() {
            let program = host("checked", name, Link::Shared);
            passes(name, support::under_valgrind(&program).args(arguments));
        }
    } else if support::have_address_sanitizer() {
        for (name, arguments) in checked_runs() {
            let program = support::source(&format!("tests/c/{name}.c"))
                .link(Link::Shared)
                .with_address_sanitizer()
                .program(&support::folder("checked"), name);
            passes(name, support::command(&program).args(arguments));
        }
    } else {
        eprintln!(
            "skipped: no valgrind here, and no AddressSanitizer that works with a shared library of Rust's"
        );
    }
}

#[test]
fn a_memory_checker_finds_a_byte_too_far() {
    if !support::have_valgrind() {
        return;
    }
    let folder = support::folder("hosts");
    let file = folder.join("too_far.c");
    fs::write(
        &file,
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n  volatile char *memory = malloc(4);\n  (void)argv;\n  \
         memory[3 + argc] = 1;\n  free((void *)memory);\n  return 0;\n}\n",
    )
    .unwrap();
    let program = support::source(file.to_str().unwrap()).program(&folder, "too_far");
    let output = child_process::output(
        &mut support::under_valgrind(&Command::new(program)),
        child_process::RUN,
    );
    assert!(!output.status.success(), "{}", support::text(&output));
}
