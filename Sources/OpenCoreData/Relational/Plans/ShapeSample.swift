import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

/// A predicate of the same shape as another one, with constants that occur nowhere else. Its statement shows which
/// variables take the values of which constants.
struct ShapeSample {
  private let model: SQLModel
  /// The constants of the predicate that have not been replaced yet.
  private var constants: ArraySlice<ShapeConstant>
  /// The constants of the sample, in the order of those that they stand for.
  private(set) var marks: [ShapeConstant] = []

  private init(_ constants: [ShapeConstant], _ model: SQLModel) {
    self.constants = constants[...]
    self.model = model
  }

  /// Makes the sample of a predicate whose variables have the given values.
  static func make(
    of predicate: NSPredicate, _ constants: [ShapeConstant], _ model: SQLModel
  ) -> (predicate: NSPredicate, marks: [ShapeConstant])? {
    var sample = ShapeSample(constants, model)
    guard let predicate = sample.copy(predicate), sample.constants.isEmpty else { return nil }
    return (predicate, sample.marks)
  }

  private mutating func copy(_ predicate: NSPredicate) -> NSPredicate? {
    guard StackRoom.isLeft else { return nil }
    switch predicate.node {
    case .boolean: return predicate
    case .compound(let type, let subpredicates):
      var copies: [NSPredicate] = []
      for subpredicate in subpredicates {
        guard let copy = copy(subpredicate) else { return nil }
        copies.append(copy)
      }
      return NSCompoundPredicate(type: type, subpredicates: copies)
    case .comparison(let comparison):
      guard comparison.hasPlainValue else { return comparison }
      guard let left = copy(comparison.leftExpression), let right = copy(comparison.rightExpression) else { return nil }
      return NSComparisonPredicate(
        leftExpression: left, rightExpression: right, modifier: comparison.comparisonPredicateModifier,
        type: comparison.predicateOperatorType, options: comparison.options)
    case .block, .custom: return nil
    }
  }

  private mutating func copy(_ expression: NSExpression) -> NSExpression? {
    guard case .constant(let value?) = expression.node, !isNull(value) else { return expression }
    guard let constant = ShapeConstant(value, model) else { return nil }
    if constant.isSpecial { return expression }
    guard constants.popFirst() == constant, let mark = mark(of: constant.kind) else { return nil }
    marks.append(ShapeConstant(kind: constant.kind, value: mark.bound))
    return NSExpression(forConstantValue: mark.constant)
  }

  /// Returns the next constant of the sample, and the value that a statement binds for it.
  private func mark(of kind: ShapeConstant.Kind) -> (constant: Any, bound: SQLValue)? {
    let number = marks.count
    // A program's own constants are hardly ever near these numbers. No Float is equal to the fraction.
    let integer = 7_043_219_856_013 + number
    let real = Double(integer) + 0.3
    switch kind {
    case .integer: return (integer, .integer(Int64(integer)))
    case .real: return (real, .real(real))
    case .date: return (Date(timeIntervalSinceReferenceDate: real), .real(real))
    case .text: return ("\u{F8F0}Ä\(integer)", .text("\u{F8F0}Ä\(integer)"))
    case .uuid:
      let byte = UInt8(truncatingIfNeeded: number)
      let uuid = UUID(uuid: (219, 86, 1, 43, 219, 86, 72, 19, 130, 86, 1, 43, 219, 86, UInt8(number >> 8 & 255), byte))
      return (uuid, SQLValue(uuid))
    case .object(let root):
      guard let entity = model.entities.first(where: { $0.number == root })?.entity else { return nil }
      return (MarkedObject(key: Int64(integer), entity: entity), .integer(Int64(integer)))
    }
  }
}

/// An object that does not exist, as a constant of a sample.
private struct MarkedObject: SQLObjectReference {
  let key: Int64
  let entity: NSEntityDescription

  var sqlReference: (primaryKey: Int64, entity: NSEntityDescription, isTemporary: Bool)? { (key, entity, false) }
}
