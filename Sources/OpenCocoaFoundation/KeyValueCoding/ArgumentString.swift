import Foundation

/// The text of a value in a C list of arguments, together with the value.
///
/// `String(format:)` crashes on objects of most classes, but it prints a string. A predicate takes the value instead. This is a
/// subclass of NSMutableString because Foundation's initialisers of NSString are not public. It never changes.
final class ArgumentString: NSMutableString {
  let value: Any
  private let characters: [unichar]

  init(_ text: String, value: Any) {
    self.value = value
    characters = Array(text.utf16)
    super.init(string: text)
  }

  override var length: Int { characters.count }

  override func character(at index: Int) -> unichar { characters[index] }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Required initialisers of NSMutableString

  required convenience init(string: String) {
    self.init(string, value: string)
  }

  required convenience init(capacity: Int) {
    self.init(string: "")
  }

  required convenience init(characters: UnsafePointer<unichar>, length: Int) {
    self.init(string: String(decoding: UnsafeBufferPointer(start: characters, count: length), as: UTF16.self))
  }

  required convenience init(stringLiteral value: StaticString) {
    self.init(string: value.description)
  }

  required convenience init(unicodeScalarLiteral value: StaticString) {
    self.init(string: value.description)
  }

  required convenience init(extendedGraphemeClusterLiteral value: StaticString) {
    self.init(string: value.description)
  }

  required convenience init?(coder: NSCoder) {
    guard let text = NSString(coder: coder) else { return nil }
    self.init(string: String(text))
  }
}
