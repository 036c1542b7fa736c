import Foundation
import OpenCocoaFoundation
internal import VersionHashing

import class OpenCocoaFoundation.NSExpression

/// Reads the predicates, expressions, sort descriptors and collections of a model archive. Each is copied into an
/// archive of its own and given to an unarchiver, which decodes each part of a predicate with its own class.
final class EmbeddedArchives {
  /// The number of objects that all copied archives together may have. The archive of a model has some thousands.
  private static let mostObjects = 200_000

  private let archive: KeyedArchive
  private var known: [Int: NSObject] = [:]
  private var budget = mostObjects

  init(_ archive: KeyedArchive) { self.archive = archive }

  /// Returns the predicate, expression or sort descriptor that a field refers to; nil for null.
  /// - Throws: `ArchiveProblem` if the object is damaged, or is not of the expected type.
  func object<T: NSObject>(_ field: PropertyListValue?, of type: T.Type) throws -> T? {
    guard let uid = field?.uidValue, uid != 0 else { return nil }
    guard archive.object(uid) != nil else { throw ArchiveProblem("A reference in the archive leads nowhere.") }
    if let object = known[uid] {
      guard let object = object as? T else { throw ArchiveProblem("The archive has no \(type) where one is expected.") }
      return object
    }
    guard let object = try decode(uid, [NSPredicate.self, NSExpression.self, NSSortDescriptor.self]) as? T else {
      throw ArchiveProblem("The archive has no \(type) where one is expected.")
    }
    known[uid] = object
    return object
  }

  /// Returns the value, or the collection of values, that a field refers to; nil for null and for objects of other
  /// classes.
  func value(_ field: PropertyListValue?) throws -> Any? {
    if let value = archive.value(field) { return value }
    guard let uid = field?.uidValue, let object = archive.object(uid),
      ["NSArray", "NSDictionary", "NSSet", "NSNull"].contains(where: object.isKind)
    else { return nil }
    if let value = known[uid] { return value }
    let value = try decode(
      uid,
      [
        NSArray.self, NSDictionary.self, NSSet.self, NSNull.self, NSString.self, NSNumber.self, NSDecimalNumber.self,
        NSDate.self, NSData.self, NSUUID.self, NSURL.self,
      ])
    known[uid] = value as? NSObject
    return value
  }

  private func decode(_ uid: Int, _ classes: [AnyClass]) throws -> Any? {
    do {
      return try SecureUnarchiver.object(in: extract(uid), of: classes)
    } catch let error as CocoaError {
      let reason = error.userInfo[NSDebugDescriptionErrorKey] as? String
      throw ArchiveProblem("A part of the archive is damaged: \(reason ?? error.localizedDescription)")
    }
  }

  /// Returns an archive of an object and of all objects that it refers to.
  private func extract(_ root: Int) throws -> Data {
    var numbers = [root: 1]
    var order = [root]
    func renumbered(_ value: PropertyListValue) -> PropertyListValue {
      switch value {
      case .uid(0): return value
      case .uid(let uid):
        if let number = numbers[uid] { return .uid(number) }
        order.append(uid)
        numbers[uid] = order.count
        return .uid(order.count)
      case .array(let elements): return .array(elements.map(renumbered))
      case .dictionary(let entries): return .dictionary(entries.mapValues(renumbered))
      default: return value
      }
    }
    var objects: [PropertyListValue] = [.string("$null")]
    while objects.count <= order.count {
      budget -= 1
      guard budget > 0, let object = archive.resolve(.uid(order[objects.count - 1])) else {
        throw ArchiveProblem("A predicate in the archive is too large, or damaged.")
      }
      objects.append(renumbered(object))
    }
    return BinaryPropertyListWriter.write(
      .dictionary([
        "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$objects": .array(objects),
        "$top": .dictionary(["root": .uid(1)]),
      ]))
  }
}

extension KeyedArchiveWriter {
  /// Adds the objects of an archive that Foundation's archiver wrote, with the same classes and fields.
  mutating func add(contentsOf archive: KeyedArchive) -> PropertyListValue {
    var copied: [Int: PropertyListValue] = [:]
    func copy(_ value: PropertyListValue, _ writer: inout KeyedArchiveWriter) -> PropertyListValue {
      switch value {
      case .uid(0): return value
      case .uid(let uid):
        if let reference = copied[uid] { return reference }
        guard let object = archive.object(uid) else { return writer.add(archive.resolve(value)) }
        let reference = writer.reserve()
        copied[uid] = reference
        let fields = object.fields.filter { $0.key != "$class" }.sorted { precedesByBytes($0.key, $1.key) }
        var copies: [String: PropertyListValue] = [:]
        for (key, field) in fields { copies[key] = copy(field, &writer) }
        return writer.add(object.ancestors, copies, as: reference)
      case .array(let elements): return .array(elements.map { copy($0, &writer) })
      default: return value
      }
    }
    return copy(.uid(archive.root), &self)
  }
}

extension KeyedArchiveWriter {
  /// Archives a predicate, expression or sort descriptor.
  /// - Throws: `ArchiveProblem` if the object cannot be archived.
  mutating func add(archiving object: NSObject & NSSecureCoding) throws -> PropertyListValue {
    guard ArchivableParts.contains(object) else {
      throw ArchiveProblem("This cannot be archived, since it has a block or a value without coding: \(object)")
    }
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return add(contentsOf: try KeyedArchive(data))
  }

  /// Archives a value of a user info, or a default value. Returns null for a value that is not of Foundation's classes.
  mutating func add(archivingValue value: Any?) -> PropertyListValue {
    let plain = add(value: value)
    guard plain == KeyedArchiveWriter.null, let value, ArchivableParts.isConstant(value),
      let data = try? KeyedArchiveWriter.archive(value, requiringSecureCoding: true),
      let archive = try? KeyedArchive(data)
    else { return plain }
    return add(contentsOf: archive)
  }
}

extension ModelEncoder {
  /// Archives a predicate, expression or sort descriptor. Returns nil in a cache if the object cannot be archived.
  /// - Throws: `ArchiveProblem` in a compiled model if the object cannot be archived.
  mutating func archive(_ object: NSObject & NSSecureCoding) throws -> PropertyListValue? {
    if layout == .cache, !ArchivableParts.contains(object) { return nil }
    return try writer.add(archiving: object)
  }

  /// Archives a value of a user info, or a default value. Returns null for a value that is not of Foundation's classes.
  mutating func archive(value: Any?) -> PropertyListValue { writer.add(archivingValue: value) }
}
