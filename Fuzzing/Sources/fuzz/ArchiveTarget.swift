import CoreData
import Foundation
@testable import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// Keyed archives of predicates, expressions, sort descriptors and values of transformable attributes.
enum ArchiveTarget {
  static func run(_ data: Data) {
    for classes in [[NSPredicate.self, NSExpression.self, NSSortDescriptor.self], ArchiveCheck.classes, nil] {
      if let object = try? SecureUnarchiver.object(in: data, of: classes) { use(object) }
    }
    _ = ValueTransformer(forName: .secureUnarchiveFromDataTransformerName)?.transformedValue(data)
    throughFoundation(data)
  }

  /// By Foundation's unarchiver, which gives the archive to `ArchiveCheck`. It stops the program on its own where no archive is
  /// behind the bytes, or where an object that it meets first is none of this project's.
  private static func throughFoundation(_ data: Data) {
    guard let archive = try? KeyedArchive(data), let root = archive.object(archive.root),
      ArchivedShape(root.className) != nil, root.ancestors.first == root.className
    else { return }
    func read<T: NSObject & NSCoding>(_ type: T.Type) {
      if let object = try? NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data) { use(object) }
    }
    if root.className.hasSuffix("Predicate") { read(NSPredicate.self) }
    if root.className.hasSuffix("Expression") { read(NSExpression.self) }
    if root.className == "NSSortDescriptor" { read(NSSortDescriptor.self) }
  }

  private static func use(_ object: Any) {
    switch object {
    case let predicate as NSPredicate:
      _ = (predicate.predicateFormat, predicate.hash, predicate.isEqual(predicate.copy()))
    case let expression as NSExpression:
      _ = (expression.description, expression.hash, expression.isEqual(expression.copy()))
    case let descriptor as NSSortDescriptor:
      _ = (descriptor.description, descriptor.hash, descriptor.reversedSortDescriptor)
    // As messages print it: Foundation's description traps at a date that is no number, and its hash at a decimal one.
    default: _ = ValueText.of(object)
    }
  }
}
