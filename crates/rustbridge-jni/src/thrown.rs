//! What the natives throw: only what isn't a plugin's failure, which Java makes exceptions of.

use std::any::Any;
use std::fmt;
use std::mem;
use std::panic::{UnwindSafe, catch_unwind};

use jni::errors::{Error, ErrorPolicy, JniError};
use jni::strings::JNIString;
use jni::{Env, EnvUnowned, jni_str};

/// Why a native can't do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The JVM said no; an exception may be pending.
    Jni(Error),
    /// A response that no array or buffer of Java's can hold.
    TooLong(usize),
    /// An argument that the Java classes never pass.
    Argument(&'static str),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Jni(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Jni(error) => write!(formatter, "rustbridge_jni: {error}"),
            Failure::TooLong(len) => write!(
                formatter,
                "the response has {len} bytes, but a Java array or buffer has at most 2147483647"
            ),
            Failure::Argument(message) => write!(formatter, "rustbridge_jni: {message}"),
        }
    }
}

/// Turns failures and panics into Java exceptions, unless there is one already.
pub(crate) struct Throw;

impl<T: Default> ErrorPolicy<T, Failure> for Throw {
    type Captures<'unowned: 'native, 'native> = ();

    fn on_error<'unowned: 'native, 'native>(
        env: &mut Env<'unowned>,
        (): &mut (),
        failure: Failure,
    ) -> Result<T, Error> {
        if !env.exception_check() {
            let class = match failure {
                Failure::Jni(Error::JniCall(JniError::NoMemory)) => {
                    jni_str!("java/lang/OutOfMemoryError")
                }
                Failure::TooLong(_) => jni_str!("java/lang/IllegalStateException"),
                Failure::Jni(Error::NullPtr(_)) => jni_str!("java/lang/NullPointerException"),
                _ => jni_str!("java/lang/RuntimeException"),
            };
            // It returns an error because there is an exception now.
            let _ = env.throw_new(class, JNIString::from(failure.to_string()));
        }
        Ok(T::default())
    }

    fn on_panic<'unowned: 'native, 'native>(
        env: &mut Env<'unowned>,
        (): &mut (),
        panic: Box<dyn Any + Send>,
    ) -> Result<T, Error> {
        let message = format!("rustbridge_jni panicked: {}", message(&*panic));
        forget(panic);
        if !env.exception_check() {
            let _ = env.throw_new(
                jni_str!("java/lang/RuntimeException"),
                JNIString::from(message),
            );
        }
        Ok(T::default())
    }
}

/// Runs a native that touches no Java object, without making an [`Env`], which costs more than most of them do.
#[inline(always)]
pub(crate) fn bare<T: Default>(
    env: EnvUnowned<'_>,
    run: impl FnOnce() -> Result<T, Failure> + UnwindSafe,
) -> T {
    match catch_unwind(run) {
        Ok(Ok(value)) => value,
        unusual => throw(env, unusual),
    }
}

#[cold]
#[inline(never)]
fn throw<T: Default>(
    mut env: EnvUnowned<'_>,
    unusual: Result<Result<T, Failure>, Box<dyn Any + Send>>,
) -> T {
    env.with_env(|env| match unusual {
        Ok(result) => result,
        Err(panic) => Ok(Throw::on_panic(env, &mut (), panic)?),
    })
    .resolve::<Throw>()
}

/// Gives a panic's payload up: its destructor could panic once more.
pub(crate) fn forget(panic: Box<dyn Any + Send>) {
    mem::forget(panic);
}

fn message(panic: &(dyn Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text
    } else {
        "no message"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panics_message_is_found_whatever_made_it() {
        assert_eq!(message(&"text"), "text");
        assert_eq!(message(&String::from("formatted 1")), "formatted 1");
        assert_eq!(message(&1), "no message");
    }

    #[test]
    fn a_failure_names_what_was_found() {
        assert_eq!(
            Failure::TooLong(3 << 30).to_string(),
            "the response has 3221225472 bytes, but a Java array or buffer has at most 2147483647"
        );
    }
}
