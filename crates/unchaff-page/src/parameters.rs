//! Parameters of techniques: written down once, with type, default and meaning, and known everywhere by name.
//!
//! `parameters!` declares a plain struct whose `Default` is the published best setting and which can list and set its
//! fields by name; `choice!` declares the values of a switch.

use std::fmt::Display;
use thiserror::Error;

/// A parameter of a technique, as the registry lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name in settings (`name=value`).
    pub name: &'static str,
    /// Its published or chosen value.
    pub default: String,
    /// The values it takes.
    pub takes: String,
    /// What it does.
    pub meaning: &'static str,
}

/// A text that is no setting.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{text}` is not of the form PARAMETER=VALUE")]
pub struct NoSetting {
    /// The text.
    pub text: String,
}

/// Takes a setting apart: `name=value`.
///
/// # Errors
/// If it is of another form.
pub fn setting(text: &str) -> Result<(&str, &str), NoSetting> {
    text.split_once('=').ok_or_else(|| NoSetting { text: text.to_owned() })
}

/// A type that parameters can have.
pub trait ParameterValue: Sized + Display {
    /// Reads a value; none if it is not one.
    fn read(text: &str) -> Option<Self>;

    /// The values, in words.
    fn takes() -> String;
}

macro_rules! parameter_value {
    ($($type:ty: $takes:literal, $valid:expr;)*) => {
        $(impl ParameterValue for $type {
            fn read(text: &str) -> Option<Self> {
                text.parse().ok().filter($valid)
            }

            fn takes() -> String {
                $takes.to_owned()
            }
        })*
    };
}

parameter_value! {
    usize: "a whole number from 0", |_| true;
    u32: "a whole number from 0", |_| true;
    f64: "a number", |number: &f64| number.is_finite();
    bool: "true or false", |_| true;
    String: "text", |_| true;
}

/// Parameters of a technique as a whole.
pub trait Parameters: Default {
    /// All parameters with their defaults.
    fn list() -> Vec<Parameter> {
        Self::default().described()
    }

    /// All parameters with the values they have here, which are the defaults of a preset.
    fn described(&self) -> Vec<Parameter>;

    /// Sets one by name; nothing if the name or the value is wrong.
    fn set(&mut self, name: &str, value: &str) -> Option<()>;
}

/// A field of a technique's parameters: its name, its value, what it takes and what it means.
type Field<'a> = (&'static str, &'a dyn Display, fn() -> String, &'static str);

/// What [`Parameters::described`] says of some fields, for all techniques in one function.
#[doc(hidden)]
#[must_use]
pub fn describe(fields: &[Field<'_>]) -> Vec<Parameter> {
    let described = |(name, value, takes, meaning): &Field<'_>| Parameter {
        name,
        default: value.to_string(),
        takes: takes(),
        meaning: meaning.trim_ascii(),
    };
    fields.iter().map(described).collect()
}

/// Declares the parameters of a technique. The first line of each field's documentation is its meaning.
#[macro_export]
macro_rules! parameters {
    ($(#[$doc:meta])* pub struct $name:ident { $(#[doc = $meaning:literal] $(#[doc = $more:literal])* pub $field:ident: $type:ty = $default:expr),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $name { $(#[doc = $meaning] $(#[doc = $more])* pub $field: $type),* }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default),* }
            }
        }

        impl $crate::parameters::Parameters for $name {
            fn described(&self) -> Vec<$crate::parameters::Parameter> {
                $crate::parameters::describe(&[$((
                    stringify!($field),
                    &self.$field,
                    <$type as $crate::parameters::ParameterValue>::takes,
                    concat!($meaning $(, $more)*),
                )),*])
            }

            #[allow(unused)]
            fn set(&mut self, name: &str, value: &str) -> Option<()> {
                match name {
                    $(stringify!($field) => self.$field = <$type as $crate::parameters::ParameterValue>::read(value)?,)*
                    _ => return None,
                }
                Some(())
            }
        }
    };
}

/// Declares the values of a switch, with their names in settings.
#[macro_export]
macro_rules! choice {
    ($(#[$doc:meta])* pub enum $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($name::$variant => $text),* })
            }
        }

        impl $crate::parameters::ParameterValue for $name {
            fn read(text: &str) -> Option<Self> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }

            fn takes() -> String {
                [$($text),*].join(" or ")
            }
        }
    };
}

pub use {choice, parameters};
