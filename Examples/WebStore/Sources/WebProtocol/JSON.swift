import Foundation

/// A value of JSON. Whole numbers keep all 64 bits.
public enum JSON: Codable, Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let number = try? container.decode(Int64.self) {
      self = .int(number)
    } else if let number = try? container.decode(Double.self) {
      self = .double(number)
    } else if let truth = try? container.decode(Bool.self) {
      self = .bool(truth)
    } else if let list = try? container.decode([JSON].self) {
      self = .array(list)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// The text; nil for any other value.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The number, whole or not; nil for any other value.
  public var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The members; nil for any value but an object.
  public var members: [String: JSON]? { if case .object(let members) = self { members } else { nil } }
}

/// Something that the protocol cannot say, or that was not said as the protocol wants it.
public struct ProtocolError: Error, CustomStringConvertible, Sendable {
  public let description: String

  public init(_ description: String) { self.description = description }
}
