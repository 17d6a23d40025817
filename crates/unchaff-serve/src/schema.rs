//! JSON schemas of types, from the types: what `serde` asks for when a value is read is what the value has.
//!
//! A type is read from nothing: of a structure every field is handed over, of a list one item, of an optional value the value. What was
//! asked for on the way is the schema. A field is required if reading fails without it. A type that contains itself is read once; where it comes up
//! again there is a reference.
//!
//! There is a copy of each generic function for every type that is read, so what does not depend on the type is done in functions beside them.

use serde::de::value::StrDeserializer;
use serde::de::{self, Deserialize, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Schemas by the names of their types.
pub(crate) type Schemas = Map<String, Value>;

/// Adds the schema of a type, and of the types in it, to others; returns a reference to it.
pub(crate) fn add<T: for<'de> Deserialize<'de>>(schemas: &mut Schemas) -> Value {
    let read = |without: Option<(&'static str, &'static str)>| {
        let seen = Rc::new(RefCell::new(Seen { without, ..Seen::default() }));
        let mut schema = Value::Null;
        let is_read = T::deserialize(Tracer { seen: &seen, schema: &mut schema }).is_ok();
        (is_read, schema, Rc::try_unwrap(seen).map(RefCell::into_inner).unwrap_or_default())
    };
    let (_, reference, seen) = read(None);
    for (name, fields) in &seen.structures {
        let required: Vec<&str> = fields.iter().map(|(field, _)| *field).filter(|field| !read(Some((name, field))).0).collect();
        let properties: Map<String, Value> = fields.iter().map(|(field, schema)| ((*field).to_owned(), schema.clone())).collect();
        let schema = json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
        schemas.insert((*name).to_owned(), schema);
    }
    reference
}

#[derive(Default)]
struct Seen {
    structures: BTreeMap<&'static str, Vec<(&'static str, Value)>>,
    open: BTreeSet<&'static str>,
    /// A field that is left out.
    without: Option<(&'static str, &'static str)>,
}

#[derive(Debug)]
struct NotRead(String);

impl std::fmt::Display for NotRead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotRead {}

impl de::Error for NotRead {
    fn custom<T: std::fmt::Display>(message: T) -> NotRead {
        NotRead(message.to_string())
    }
}

/// Reads any type, and writes down what it asks for.
struct Tracer<'t> {
    seen: &'t Rc<RefCell<Seen>>,
    schema: &'t mut Value,
}

impl Tracer<'_> {
    fn write_kind(self, kind: &str) {
        *self.schema = json!({"type": kind});
    }

    /// Begins to read a structure; an error if it is within itself.
    fn open(&mut self, name: &'static str) -> Result<(), NotRead> {
        *self.schema = json!({"$ref": format!("#/components/schemas/{name}")});
        if !self.seen.borrow_mut().open.insert(name) {
            return Err(NotRead(format!("{name} contains itself")));
        }
        Ok(())
    }
}

macro_rules! simple {
    ($($method:ident $visit:ident $value:expr, $kind:literal;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotRead> {
            self.write_kind($kind);
            visitor.$visit($value)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Tracer<'_> {
    type Error = NotRead;

    simple! {
        deserialize_bool visit_bool false, "boolean";
        deserialize_i8 visit_i8 0, "integer";
        deserialize_i16 visit_i16 0, "integer";
        deserialize_i32 visit_i32 0, "integer";
        deserialize_i64 visit_i64 0, "integer";
        deserialize_u8 visit_u8 0, "integer";
        deserialize_u16 visit_u16 0, "integer";
        deserialize_u32 visit_u32 0, "integer";
        deserialize_u64 visit_u64 0, "integer";
        deserialize_f32 visit_f32 0.0, "number";
        deserialize_f64 visit_f64 0.0, "number";
        deserialize_char visit_char 'a', "string";
        deserialize_str visit_borrowed_str "", "string";
        deserialize_string visit_borrowed_str "", "string";
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotRead> {
        *self.schema = json!({});
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotRead> {
        let mut inner = Value::Null;
        let value = visitor.visit_some(Tracer { seen: self.seen, schema: &mut inner });
        *self.schema = json!({"anyOf": [inner, {"type": "null"}]});
        value
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotRead> {
        let mut items = Value::Null;
        let value = visitor.visit_seq(Items { seen: self.seen, schema: &mut items, left: 1 });
        *self.schema = json!({"type": "array", "items": items});
        value
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, NotRead> {
        let mut items = Value::Null;
        let value = visitor.visit_seq(Items { seen: self.seen, schema: &mut items, left: length });
        *self.schema = json!({"type": "array", "items": items, "minItems": length, "maxItems": length});
        value
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotRead> {
        *self.schema = json!({"type": "object"});
        visitor.visit_map(Fields { seen: self.seen, name: "", fields: &[], next: 0, found: Vec::new() })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NotRead> {
        self.open(name)?;
        let value = visitor.visit_map(Fields { seen: self.seen, name, fields, next: 0, found: Vec::new() });
        self.seen.borrow_mut().open.remove(name);
        value
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NotRead> {
        *self.schema = json!({"type": "string", "enum": variants});
        visitor.visit_enum(First(variants.first().copied().unwrap_or_default()))
    }

    serde::forward_to_deserialize_any! {
        bytes byte_buf unit unit_struct newtype_struct tuple_struct identifier ignored_any
    }
}

/// Some items of a list.
struct Items<'t> {
    seen: &'t Rc<RefCell<Seen>>,
    schema: &'t mut Value,
    left: usize,
}

impl Items<'_> {
    /// Whether the item is a structure that was being read when the list came.
    fn closes(&self, open: &BTreeSet<&'static str>) -> bool {
        self.schema["$ref"].as_str().is_some_and(|name| open.iter().any(|open| name.ends_with(open)))
    }
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = NotRead;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, NotRead> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let open = self.seen.borrow().open.clone();
        match seed.deserialize(Tracer { seen: self.seen, schema: self.schema }) {
            Ok(value) => Ok(Some(value)),
            // An empty list ends what contains itself; a missing field is a missing field.
            Err(_) if self.closes(&open) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// All fields of a structure, but for the one that is left out.
struct Fields<'t> {
    seen: &'t Rc<RefCell<Seen>>,
    name: &'static str,
    fields: &'static [&'static str],
    next: usize,
    found: Vec<(&'static str, Value)>,
}

impl Fields<'_> {
    /// The field that comes next; at the end, the structure is written down.
    fn field(&mut self) -> Option<&'static str> {
        let without = self.seen.borrow().without;
        while without.is_some() && without == self.fields.get(self.next).map(|field| (self.name, *field)) {
            self.next += 1;
        }
        let field = self.fields.get(self.next).copied();
        if field.is_none() && !self.name.is_empty() {
            self.seen.borrow_mut().structures.insert(self.name, std::mem::take(&mut self.found));
        }
        field
    }

    fn found(&mut self, schema: Value) {
        self.found.push((self.fields[self.next], schema));
        self.next += 1;
    }
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = NotRead;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, NotRead> {
        let Some(field) = self.field() else { return Ok(None) };
        seed.deserialize(StrDeserializer::<NotRead>::new(field)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, NotRead> {
        let mut schema = Value::Null;
        let value = seed.deserialize(Tracer { seen: self.seen, schema: &mut schema });
        self.found(schema);
        value
    }
}

/// The first variant of an enumeration, which has no data.
struct First(&'static str);

impl<'de> EnumAccess<'de> for First {
    type Error = NotRead;
    type Variant = First;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, First), NotRead> {
        Ok((seed.deserialize(StrDeserializer::<NotRead>::new(self.0))?, self))
    }
}

impl<'de> VariantAccess<'de> for First {
    type Error = NotRead;

    fn unit_variant(self) -> Result<(), NotRead> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, NotRead> {
        Err(NotRead("a variant with data".to_owned()))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, NotRead> {
        Err(NotRead("a variant with data".to_owned()))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, NotRead> {
        Err(NotRead("a variant with data".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    #[allow(dead_code)]
    enum Colour {
        #[serde(rename = "red")]
        Red,
        #[serde(rename = "green")]
        Green,
    }

    #[derive(serde::Deserialize)]
    #[allow(dead_code)]
    struct Tree {
        name: String,
        colour: Option<Colour>,
        place: [i32; 2],
        #[serde(default)]
        items: Vec<Tree>,
        #[serde(default, rename = "any")]
        other: BTreeMap<String, Value>,
    }

    #[test]
    fn a_type_that_contains_itself_has_a_schema() {
        let mut schemas = Schemas::new();
        assert_eq!(add::<Tree>(&mut schemas), json!({"$ref": "#/components/schemas/Tree"}));
        let tree = &schemas["Tree"];
        assert_eq!(tree["required"], json!(["name", "place"]));
        assert_eq!(tree["properties"]["items"], json!({"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}));
        assert_eq!(tree["properties"]["colour"]["anyOf"][0], json!({"type": "string", "enum": ["red", "green"]}));
        assert_eq!(tree["properties"]["place"]["maxItems"], 2);
        assert_eq!(tree["properties"]["any"], json!({"type": "object"}));
    }
}
