import Foundation

extension JSONEncoder {
  /// How the tool writes JSON: for people too, keys in a fixed order, dates with milliseconds.
  public static var tool: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
    return encoder
  }

  /// A value as text.
  public func text(of value: some Encodable) throws -> String { String(decoding: try encode(value), as: UTF8.self) }
}
