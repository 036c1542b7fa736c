import Foundation

extension String {
  /// A text that is looked up in a bundle's tables: a literal, in which values may be interpolated.
  ///
  /// Its key has a conversion in the place of each value: `"\(count) books by \(name)"` has the key `%lld books by %@`.
  public struct LocalizationValue: ExpressibleByStringInterpolation, Hashable, Sendable {
    /// The key, which is also the format where a table does not have it.
    let key: String
    let arguments: [LocalizedArgument]

    /// Creates a value whose key is a text as it is.
    public init(_ value: String) {
      key = value
      arguments = []
    }

    /// Creates a value from a literal without values.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates a value from a literal with values.
    public init(stringInterpolation: StringInterpolation) {
      let hasArguments = !stringInterpolation.arguments.isEmpty
      key = stringInterpolation.parts.map { part in
        switch part {
        // In a format the sign stands twice.
        case .text(let text): hasArguments ? text.replacing("%", with: "%%") : text
        case .conversion(let text): text
        }
      }.joined()
      arguments = stringInterpolation.arguments
    }

    /// Returns the text of a table, or the key's where the table's does not fit the values, with the values.
    /// - Parameter found: what the table has for the key.
    func filled(into found: String, _ locale: Locale) -> String {
      if arguments.isEmpty { return found }
      return LocalizedFormat.text(found, arguments, locale) ?? LocalizedFormat.text(key, arguments, locale) ?? key
    }

    /// The parts of a literal with values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
      enum Part: Sendable { case text(String), conversion(String) }

      private(set) var parts: [Part] = []
      private(set) var arguments: [LocalizedArgument] = []

      /// Creates an empty interpolation.
      public init(literalCapacity: Int, interpolationCount: Int) {}

      /// Appends text of the literal.
      public mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

      /// Appends a text; the key has `%@`.
      public mutating func appendInterpolation(_ string: String) { append(.text(string), "%@") }

      /// Appends the text of an object, or of a value such as a date, by a formatter if there is one; the key has `%@`.
      public mutating func appendInterpolation<Subject: _DescribedArgument>(
        _ subject: Subject, formatter: Formatter? = nil
      ) {
        append(.text(formatter?.string(for: subject) ?? ValueText.of(subject)), "%@")
      }

      /// Appends a value as a style formats it; the key has `%@`.
      public mutating func appendInterpolation<F: FormatStyle>(_ input: F.FormatInput, format: F)
      where F.FormatOutput == String {
        append(.text(format.format(input)), "%@")
      }

      /// Appends a whole number; the key has `%lld`, `%llu`, or for types of up to 32 bits `%d` and `%u`.
      public mutating func appendInterpolation<T: FixedWidthInteger>(_ value: T) {
        append(Self.number(value), (T.bitWidth > 32 ? "%ll" : "%") + (T.isSigned ? "d" : "u"))
      }

      /// Appends a whole number by a conversion of your own, such as `%05lld`, which the key has, too.
      public mutating func appendInterpolation<T: FixedWidthInteger>(_ value: T, specifier: String) {
        append(Self.number(value), specifier)
      }

      /// Appends a number; the key has `%lf`, for a Float `%f`.
      public mutating func appendInterpolation<T: BinaryFloatingPoint>(_ value: T) {
        append(.real(Double(value)), T.self == Float.self ? "%f" : "%lf")
      }

      /// Appends a number by a conversion of your own, such as `%.2f`, which the key has, too.
      public mutating func appendInterpolation<T: BinaryFloatingPoint>(_ value: T, specifier: String) {
        append(.real(Double(value)), specifier)
      }

      private static func number<T: FixedWidthInteger>(_ value: T) -> LocalizedArgument {
        T.isSigned ? .integer(Int64(clamping: value)) : .unsigned(UInt64(clamping: value))
      }

      private mutating func append(_ argument: LocalizedArgument, _ conversion: String) {
        parts.append(.conversion(conversion))
        arguments.append(argument)
      }
    }
  }
}
