//! Which names a plugin may have: a crate, a library, and a module and a class of each language are called by it.

use crate::language::Language;
use crate::problem::Problem;

/// Fails if a plugin with these hosts can't be called so.
pub(crate) fn check(name: &str, hosts: &[Language]) -> Result<(), Problem> {
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let begins = name.starts_with(|first: char| first.is_ascii_lowercase());
    if !begins || !name.split(['-', '_']).all(is_word) {
        return Err(Problem::new(format_args!(
            "`{name}` isn't a valid plugin name: use lower-case letters and digits, a letter first, with `-` or `_` between words"
        )));
    }
    let library = &*name.replace('-', "_");
    if is_among(RESERVED, library) {
        return Err(Problem::new(format_args!(
            "`{name}` is reserved in one of the languages that call the plugin, or in the generated project: choose another name"
        )));
    }
    // Cargo can't tell two packages of one name and version that both come from folders.
    if library.starts_with("rustbridge_") {
        return Err(Problem::new(format_args!(
            "`{name}` may collide with a crate of rustbridge: choose a name that doesn't begin with `rustbridge`"
        )));
    }
    if hosts.contains(&Language::Python) && rustbridge_gen::hides_python_module(library) {
        return Err(Problem::new(format_args!(
            "a client called `{library}` would hide Python's own module `{library}`: choose another name"
        )));
    }
    if hosts.contains(&Language::Cpp) && is_among(OF_C, library) {
        return Err(Problem::new(format_args!(
            "a client in C++ can't be called `{library}`, which is a function or type of C: choose another name"
        )));
    }
    let joined = &*library.replace('_', "");
    if hosts.contains(&Language::Go) && is_among(OF_GO, joined) {
        return Err(Problem::new(format_args!(
            "a client in Go can't be called `{joined}`, which is reserved in Go or in the host: choose another name"
        )));
    }
    if hosts.contains(&Language::Node) && is_among(OF_JAVASCRIPT, library) {
        return Err(Problem::new(format_args!(
            "a client in TypeScript can't be called `{name}`, which JavaScript defines: choose another name"
        )));
    }
    Ok(())
}

fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|other| other == name)
}

/// What is a word of Rust's, Java's, Kotlin's, C#'s, C++'s or Python's, a crate that every crate has, or a name in the templates; and what
/// `gen` calls otherwise, since its clients call something else so.
const RESERVED: &str = "\
    abstract alignas alignof alloc and and_eq any app app_context arc argument_exception \
    argument_null_exception array as asm assert async async_iterable auto await awaitable base become \
    big_integer bitand bitor bool bool_codec boolean boolean_array box break byte byte_array bytes_codec \
    call_options cancellation_token case catch char char16_t char32_t char8_t char_codec checked class client \
    clone co_await co_return co_yield companion compl completable_future completion_stage concept console \
    const const_cast consteval constexpr constinit content continue contract_assert copy core crate \
    date_time_offset debug decimal decltype def default del delegate delete do double double_array duration \
    duration_codec dyn dynamic_cast dynamic_codec dynamic_value elif else enum eq equals err errno error event \
    except exception experimental_unsigned_types explicit export extends extern false far final finalize \
    finally fixed float float_array flow fn for foreach formattable_string friend from fun gen global goto \
    greeting guid hash hash_map host if impl implements implicit import in inline inline_array instanceof \
    instant int int128 int_array integer interface internal into into_iterator is items iterable iterator java \
    jvm_inline kotlin lambda layout_kind let linux list load lock long long_array loop macro main map match \
    max maybe memory_codec method min mod move mut mutable named_tuple namespace native near new new_type \
    noexcept none nonlocal not not_eq notify null nullptr object objects ok operation_canceled_exception \
    operator opt_in option or or_eq out override package pair params partial_eq pass path path_buf person \
    plugin plugin_config plugin_exception plugin_object plugin_options priv private proc_macro program \
    protected protocol pub public python raise read_only_memory readonly record ref register reinterpret_cast \
    requires result return rune rust rustbridge sbyte sealed self send services short short_array signed \
    sizeof small some stackalloc static static_assert static_cast std stderr stdin stdout strictfp string \
    struct struct_layout super suppress_warnings switch sync synchronized system system_time template test \
    text_codec this thread_local throw throws time_span timestamp_codec transient triple true try type \
    type_alias typealias typed_client typed_method typed_object typed_sending typed_services typedef typeid \
    typename typeof uint ulong unchecked unfit_exception union unit unit_codec unit_value unix unsafe unsigned \
    unsized use ushort using uuid_codec val value_task value_tuple values var vec virtual void volatile wait \
    wchar_t when where while wire_reader wire_writer with xor xor_eq yield";

/// What is a word of Go's, or a name in its templates.
const OF_GO: &str = "\
    break case chan const context continue ctx default defer else err fallthrough fmt for func go goto greeting if import interface library log \
    main map mean package plugin range return rustbridge select struct switch type var";

/// What a client's code calls so that isn't the client.
const OF_JAVASCRIPT: &str = "\
    async_disposable big_int64_array big_uint64_array disposable float32_array float64_array int16_array int32_array int8_array methods \
    promise promise_like symbol uint16_array uint32_array uint8_array";

/// What C's headers declare that a program in C++ has whether it asks for them or not: no namespace may be called so.
const OF_C: &str = "\
    abs accept access acos alarm asin atan basename bind brk calloc ceil clock close connect cos crypt ctime \
    daemon div dup environ exit exp fabs fd_set feof ffs floor fork free gamma getc getenv getopt gmtime hypot \
    index isalpha kill labs link listen lockf log lseek malloc memcpy mktime modf nice open pause perror pipe \
    poll pow pread printf putc puts pwrite rand random read realloc recv remainder remove rename rewind rindex \
    round sbrk scanf sched_yield select setenv setns shutdown signal sin size_t sleep socket sqrt stat strlen \
    swab tan tempnam time timer_t tm tmpfile tolower toupper trunc truncate u_int umask ungetc unshare vfork \
    write";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_in_every_language() {
        for name in [
            "hello",
            "hello-world",
            "a",
            "a1",
            "a-1",
            "image_tools",
            "x2-y",
        ] {
            assert!(check(name, &[]).is_ok(), "{name}");
        }
        for name in [
            "",
            "Hello",
            "1st",
            "a--b",
            "-a",
            "a-",
            "a b",
            "ä",
            "class",
            "std",
            "person",
            "a.b",
            "while",
            "void",
            "proc-macro",
            "vec",
            "error",
            "list",
            "call-options",
            "rustbridge-core",
        ] {
            assert!(check(name, &[]).is_err(), "{name}");
        }
    }

    #[test]
    fn a_name_hides_nothing_of_its_hosts_languages() {
        for (name, host) in [
            ("json", Language::Python),
            ("typing", Language::Python),
            ("py-compile", Language::Python),
            ("pip", Language::Python),
            ("index", Language::Cpp),
            ("log", Language::Cpp),
            ("fall-through", Language::Go),
            ("range", Language::Go),
            ("promise", Language::Node),
            ("uint8-array", Language::Node),
        ] {
            assert!(check(name, &[]).is_ok(), "{name}");
            assert!(check(name, &[host]).is_err(), "{name}");
        }
    }
}
