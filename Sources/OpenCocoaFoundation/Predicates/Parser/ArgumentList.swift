import Foundation

/// Reads the arguments of a format from a C argument list.
///
/// The layout of a list depends on the platform and is known only to C, so vsnprintf reads the list. It prints every argument
/// with a conversion that loses nothing.
enum ArgumentList {
  /// Returns the values in a list for the conversions of a format.
  ///
  /// - Throws: `OCDPredicateFormatError` if the format cannot be divided into tokens.
  static func values(of format: String, from list: CVaListPointer) throws -> [Any?] {
    let bytes = Array(format.utf8)
    let conversions = try FormatLexer.tokens(of: format).compactMap { token -> Conversion? in
      guard case .argument(let character) = token.kind else { return nil }
      let modifiers = bytes[(token.start + 1)...].prefix { "hlqLzjt".utf8.contains($0) }
      return Conversion(character, modifiers: String(decoding: modifiers, as: UTF8.self))
    }
    guard !conversions.isEmpty else { return [] }
    // Integers take at most 20 characters, floating-point numbers less than 40.
    var text = [CChar](repeating: 0, count: conversions.count * 64 + 1)
    let length = vsnprintf(&text, text.count, conversions.map { $0.specifier + "\n" }.joined(), list)
    let printed = String(decoding: text.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return zip(conversions, printed.split(separator: "\n")).map { $0.value(of: String($1)) }
  }

  private enum Conversion {
    case object
    /// A pointer to a zero-terminated string.
    case string(isWide: Bool)
    case integer(isLong: Bool)
    case unsigned(isLong: Bool)
    case floating(isLong: Bool)

    init(_ character: Character, modifiers: String) {
      let isLong = modifiers.contains { "lqzjt".contains($0) }
      switch character {
      case "@", "K": self = .object
      case "s": self = .string(isWide: false)
      case "S": self = .string(isWide: true)
      case "d", "i", "c", "C": self = .integer(isLong: isLong)
      case "D": self = .integer(isLong: true)
      case "U", "O": self = .unsigned(isLong: true)
      case "u", "x", "X", "o": self = .unsigned(isLong: isLong)
      default: self = .floating(isLong: modifiers.contains("L"))
      }
    }

    /// The conversion with which vsnprintf prints the argument.
    var specifier: String {
      switch self {
      case .object, .string: "%zx"  // Pointers are as wide as sizes.
      case .integer(let isLong): isLong ? "%lld" : "%d"
      case .unsigned(let isLong): isLong ? "%llu" : "%u"
      case .floating(let isLong): isLong ? "%.21Lg" : "%a"
      }
    }

    /// Returns the value of an argument that was printed with `specifier`.
    func value(of text: String) -> Any? {
      switch self {
      case .object: Self.pointer(text).flatMap(Self.object)
      case .string(let isWide): Self.pointer(text).map { Self.string($0, isWide: isWide) }
      case .integer: Int64(text).map { NSNumber(value: $0) }
      case .unsigned: UInt64(text).map { NSNumber(value: $0) }
      case .floating: Double(text).map { NSNumber(value: $0) }
      }
    }

    private static func pointer(_ text: String) -> UnsafeRawPointer? {
      UInt(text, radix: 16).flatMap(UnsafeRawPointer.init(bitPattern:))
    }

    private static func object(_ pointer: UnsafeRawPointer) -> Any? {
      let object = Unmanaged<NSObject>.fromOpaque(pointer).takeUnretainedValue()
      if let argument = object as? ArgumentString { return argument.value }
      return (object as? NSString).map(String.init) ?? object
    }

    private static func string(_ pointer: UnsafeRawPointer, isWide: Bool) -> String {
      guard isWide else { return String(cString: pointer.assumingMemoryBound(to: CChar.self)) }
      return String(decodingCString: pointer.assumingMemoryBound(to: UInt16.self), as: UTF16.self)
    }
  }
}
