/// What somebody typed that no value of an attribute can be, in words.
struct FieldMistake: Error {
  let text: String

  init(_ text: String) { self.text = text }
}
