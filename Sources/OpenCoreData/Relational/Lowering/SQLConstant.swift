import Foundation
import OpenCocoaFoundation

/// A constant as SQL, converted to the kind of the operand that it is compared with.
package enum SQLConstant {
  /// Nil, which equals only a missing value.
  case null
  case value(SQLValue)
  /// A number that is compared with a text. The text is to be read as a number.
  case number(SQLValue)
  /// A value that no value of the kind equals.
  case never

  package init(_ value: Any?, as kind: SQLKind, in lowering: PredicateLowering) throws {
    // Lists of many objects are common, and a cast to a class costs a fraction of finding out the type of a value.
    if case .key(let root) = kind, let object = value as? NSManagedObject {
      self = Self.key(object, root: root, model: lowering.model)
      return
    }
    let operand = Operand(value)
    if operand.isNull {
      self = .null
      return
    }
    switch (kind, operand) {
    case (.number, .number(let number)) where number.isNaN, (.decimal, .number(let number)) where number.isNaN,
      (.date, .number(let number)) where number.isNaN:
      let isDecimal = if case .decimal = number { true } else { false }
      self = lowering.model.dialect.notANumber(isDecimal: isDecimal).map(SQLConstant.value) ?? .never
    case (.number, .number(let number)), (.decimal, .number(let number)), (.date, .number(let number)):
      self = .value(SQLValue(number))
    case (.number, .date(let seconds)), (.decimal, .date(let seconds)), (.date, .date(let seconds)):
      self = .value(.real(seconds))
    case (.number, .string(let string)), (.decimal, .string(let string)), (.date, .string(let string)):
      self = ExactNumber(writtenIn: string).map { .value(SQLValue($0)) } ?? .never
    case (.string, .string(let string)), (.uri, .string(let string)): self = .value(.text(string))
    case (.string, .number(let number)), (.uri, .number(let number)): self = .number(SQLValue(number))
    case (.string, .date(let seconds)), (.uri, .date(let seconds)): self = .number(.real(seconds))
    case (.uuid, .uuid(let uuid)): self = .value(SQLValue(uuid))
    case (.binary, .data(let data)): self = .value(.blob(data))
    case (.transformable, _):
      throw SQLLoweringError.unsupported("Unsupported comparison of a transformable attribute with", value ?? "nil")
    case (.composite, _):
      throw SQLLoweringError.unsupported("Unsupported comparison of a composite attribute with", value ?? "nil")
    case (.key(let root), _): self = Self.key(value, root: root, model: lowering.model)
    case (.entity, _): self = Self.entity(value, model: lowering.model)
    default: self = .never
    }
  }

  /// Returns the key of an object of the hierarchy. In another table, the same key belongs to another object.
  private static func key(_ object: NSManagedObject, root: Int, model: SQLModel) -> SQLConstant {
    let isOfTable = object.key > 0 && model.entity(for: object.layout.entity)?.root.number == root
    return isOfTable ? .value(.integer(object.key)) : .never
  }

  private static func key(_ value: Any?, root: Int, model: SQLModel) -> SQLConstant {
    guard let reference = unwrapped(value) as? any SQLObjectReference,
      let (key, entity, isTemporary) = reference.sqlReference, !isTemporary,
      model.entity(for: entity)?.root.number == root
    else { return .never }
    return .value(.integer(key))
  }

  private static func entity(_ value: Any?, model: SQLModel) -> SQLConstant {
    let entity = (unwrapped(value) as? NSEntityDescription).flatMap(model.entity(for:))
    return entity.map { .value(.integer(Int64($0.number))) } ?? .never
  }
}
