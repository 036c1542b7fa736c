import Foundation

/// Reads property lists that come from outside: metadata of stores, files beside models, tokens.
///
/// Foundation's readers are not used: they recurse as deep as the bytes say. Besides, a binary list may contain a set, and
/// Foundation on Linux stops a program that casts a dictionary with a set in it to `[String: Any]`. Binary lists are read by
/// `BinaryPropertyListReader`, those in XML by `XMLPropertyListReader`. Lists in the OpenStep format, which nothing writes any
/// more, are refused.
package enum PropertyListReader {
  /// The greatest depth of nested dictionaries and arrays.
  private static let deepest = 64

  /// Returns the dictionary at the top of a property list.
  /// - Throws: `ArchiveProblem` if the data is no property list, has something else at the top, or is nested too deep.
  package static func dictionary(_ data: Data) throws -> [String: Any] {
    if data.starts(with: Data("bplist".utf8)) {
      guard case .dictionary(let values) = try BinaryPropertyListReader.read(data, deepest: deepest) else {
        throw ArchiveProblem("The property list has no dictionary at the top.")
      }
      return try values.mapValues { try $0.foundationValue }
    }
    let start = data.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    guard start.first == UInt8(ascii: "<") else { throw ArchiveProblem("The data is no property list.") }
    guard let dictionary = try XMLPropertyListReader.read(data, deepest: deepest) as? [String: Any] else {
      throw ArchiveProblem("The property list has no dictionary at the top.")
    }
    return dictionary
  }
}

extension PropertyListValue {
  /// The value in the types of Foundation's property lists.
  /// - Throws: `ArchiveProblem` for a UID, which occurs only in keyed archives.
  package var foundationValue: Any {
    get throws {
      switch self {
      case .bool(let value): NSNumber(value: value)
      case .integer(let value): NSNumber(value: value)
      case .unsigned(let value): NSNumber(value: value)
      case .real(let value): NSNumber(value: value)
      case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
      case .data(let data): data
      case .string(let text): text
      case .array(let values): try values.map { try $0.foundationValue }
      case .dictionary(let values): try values.mapValues { try $0.foundationValue }
      case .uid: throw ArchiveProblem("The property list has a reference of a keyed archive.")
      }
    }
  }
}

extension PropertyListValue {
  /// Makes the value of a property list that consists of strings, integers, floating-point numbers, dates, data, arrays, and
  /// dictionaries with strings as keys. Nil for any other value, and for values whose type only Foundation's objects tell, such
  /// as truth values and small numbers.
  package init?(foundationValue value: Any) {
    // Collections of Foundation's classes are not cast: the cast of an NSDictionary to a Swift dictionary stops the program if
    // there is a set in it.
    let isObject = type(of: value) is AnyClass
    switch value {
    case let text as String: self = .string(text)
    case let data as Data: self = .data(data)
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let number as Int where type(of: value) == Int.self: self = .integer(Int64(number))
    case let number as Double where type(of: value) == Double.self: self = .real(number)
    case let number as NSNumber:
      switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
      case "s", "i", "l", "q": self = .integer(number.int64Value)
      case "f", "d": self = .real(number.doubleValue)
      default: return nil
      }
    case let array as [Any] where !isObject:
      var values: [PropertyListValue] = []
      for element in array {
        guard let element = PropertyListValue(foundationValue: element) else { return nil }
        values.append(element)
      }
      self = .array(values)
    case let dictionary as [String: Any] where !isObject:
      var values: [String: PropertyListValue] = [:]
      for (key, element) in dictionary {
        guard let element = PropertyListValue(foundationValue: element) else { return nil }
        values[key] = element
      }
      self = .dictionary(values)
    default: return nil
    }
  }
}
