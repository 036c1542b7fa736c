import Foundation

/// Checks the objects of an archived predicate before an unarchiver decodes them.
///
/// Foundation's unarchiver stops the program when it meets a class that is not allowed, and follows cycles until the stack
/// is full. The unarchiver does not publish the objects of its archive, so the check reads them by reflection. If a later
/// Foundation stores these objects in another way, the check is left out.
enum ArchiveCheck {
  /// The coder whose archive has already been checked by a function that called the current one.
  @TaskLocal static var coder: ObjectIdentifier?

  /// The greatest depth of nested objects. The tree of a format has up to 1,600 levels: 1,000 of operators, the others of
  /// parentheses. Each level takes an object and an array of its parts, and the innermost level takes a few objects more.
  static let maximumDepth = 3_220
  /// The greatest number of objects of a predicate. A shared object counts once for each reference to it.
  private static let maximumSize = 1_000_000

  /// The classes that the parts of a predicate may have.
  static let classes: [AnyClass] = [
    NSPredicate.self, NSExpression.self, PredicateOperator.self, ArchivedDecimal.self, NSSortDescriptor.self,
    NSString.self, NSNumber.self, NSDecimalNumber.self, NSDate.self, NSData.self, NSUUID.self, NSURL.self, NSNull.self,
    NSArray.self, NSSet.self, NSOrderedSet.self, NSDictionary.self,
  ]

  /// Checks all objects that the object being decoded refers to, directly or through others.
  static func check(_ unarchiver: NSKeyedUnarchiver) throws {
    let mirror = Mirror(reflecting: unarchiver)
    guard let objects = mirror.descendant("_objects") as? [Any],
      let contexts = mirror.descendant("_containers").flatMap(unwrapped) as? [Any], let context = contexts.last,
      let fields = Mirror(reflecting: context).descendant("dict") as? [String: Any]
    else { return }
    var walk = Walk(objects: objects, allowed: unarchiver.allowedClasses ?? [], unarchiver: unarchiver)
    _ = try walk.measure(fields, depth: 0)
  }

  /// The height of the tree that starts at an object, and the number of its objects.
  private struct Measure {
    var height = 0
    var size = 1

    mutating func add(_ part: Measure) {
      height = max(height, part.height + 1)
      size = min(size + part.size, maximumSize + 1)
    }
  }

  private struct Walk {
    let objects: [Any]
    let allowed: [AnyClass]
    let unarchiver: NSKeyedUnarchiver
    var known: [Int: Measure] = [:]
    var open: Set<Int> = []

    /// Checks an object's fields and the objects that they refer to.
    mutating func measure(_ fields: [String: Any], depth: Int) throws -> Measure {
      guard depth <= maximumDepth else { throw ArchiveProblem("The archived predicate is nested too deeply.") }
      let name = try className(fields)
      guard let shape = ArchivedShape(name) else {
        // An object of a class that the caller allows is not checked here; its class is responsible for it.
        if isAllowed(name) { return Measure() }
        throw ArchiveProblem("\(name) is no part of a predicate.")
      }
      try shape.check(fields, name)
      var measure = Measure()
      for (key, value) in fields where key != "$class" {
        for reference in value as? [Any] ?? [value] {
          guard let number = ArchivedShape.reference(reference) else { continue }
          measure.add(try self.measure(number, depth: depth + 1))
        }
      }
      guard measure.size <= maximumSize else { throw ArchiveProblem("The archived predicate is too large.") }
      return measure
    }

    private mutating func measure(_ number: Int, depth: Int) throws -> Measure {
      guard objects.indices.contains(number) else { throw ArchiveProblem("The archive has no object \(number).") }
      if let measure = known[number] {
        guard depth + measure.height <= maximumDepth else {
          throw ArchiveProblem("The archived predicate is nested too deeply.")
        }
        return measure
      }
      guard let fields = objects[number] as? [String: Any] else {
        if objects[number] is String || objects[number] is NSNumber || objects[number] is Data { return Measure() }
        throw ArchiveProblem("The archive has an object without a class.")
      }
      guard open.insert(number).inserted else { throw ArchiveProblem("The archived predicate contains itself.") }
      let measure = try StackRoom.extended { try self.measure(fields, depth: depth) }
      open.remove(number)
      known[number] = measure
      return measure
    }

    private func className(_ fields: [String: Any]) throws -> String {
      guard let number = fields["$class"].flatMap(ArchivedShape.reference), objects.indices.contains(number),
        let type = objects[number] as? [String: Any], let name = type["$classname"] as? String,
        type["$classes"] is [String]
      else { throw ArchiveProblem("The archive has an object without a class.") }
      return name
    }

    private func isAllowed(_ name: String) -> Bool {
      let type: AnyClass? =
        unarchiver.class(forClassName: name) ?? NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name)
      var ancestor: AnyClass? = type
      while let type = ancestor {
        if allowed.contains(where: { $0 == type }) { return true }
        ancestor = _getSuperclass(type)
      }
      return false
    }
  }
}
