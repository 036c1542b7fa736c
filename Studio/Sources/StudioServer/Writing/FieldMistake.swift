/// The error of a typed text that is not a value of its attribute.
struct FieldMistake: Error {
  let text: String

  init(_ text: String) { self.text = text }
}
