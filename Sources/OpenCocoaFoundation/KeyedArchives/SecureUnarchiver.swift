import Foundation

/// Decodes the objects of a keyed archive without trusting its bytes.
///
/// Foundation's own unarchiver stops the program at an unexpected class, a cycle or a damaged reference. This one throws an
/// error instead. It makes objects of Foundation's classes itself, and calls `init(coder:)` of other classes.
package final class SecureUnarchiver: NSCoder {
  /// An object being decoded.
  struct Frame {
    let object: ArchivedObject
    let allowed: [AnyClass]?
  }

  private static let propertyLists: [AnyClass] = [
    NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
  ]
  let archive: KeyedArchive
  /// The decoded objects by their numbers, so that all references to a number give the same object.
  private var decoded: [Int: Any] = [:]
  private var underway: Set<Int> = []
  private(set) var frames: [Frame] = []
  /// The first error. It is kept because an initialiser may ignore that it did not get a value.
  private(set) var problem: (any Error)?

  /// Decodes the root object of an archive.
  ///
  /// - Parameters:
  ///   - data: The archive.
  ///   - classes: The classes that the archive's objects may have, with their subclasses; nil allows all.
  /// - Throws: `CocoaError.coderReadCorrupt` when the archive is damaged, refers to itself or holds other classes.
  package static func object(in data: Data, of classes: [AnyClass]?) throws -> Any? {
    let archive: KeyedArchive
    do {
      archive = try KeyedArchive(data)
    } catch {
      throw Self.error((error as? ArchiveProblem)?.reason ?? "\(error)")
    }
    let coder = SecureUnarchiver(archive)
    let object = coder.decode(.uid(archive.root), of: classes)
    if let problem = coder.problem { throw problem }
    return object
  }

  private init(_ archive: KeyedArchive) {
    self.archive = archive
  }

  static func error(_ reason: String) -> CocoaError {
    CocoaError(.coderReadCorrupt, userInfo: [NSDebugDescriptionErrorKey: reason])
  }

  package override func failWithError(_ error: any Error) {
    if problem == nil { problem = error }
  }

  package override var error: (any Error)? { problem }

  /// Decodes the object that a field refers to; returns nil for null, and after a failure.
  func decode(_ field: PropertyListValue?, of allowed: [AnyClass]?) -> Any? {
    guard problem == nil, let field else { return nil }
    do {
      return try object(field, allowed)
    } catch {
      failWithError(error)
      return nil
    }
  }

  func object(_ field: PropertyListValue, _ allowed: [AnyClass]?) throws -> Any? {
    guard let uid = field.uidValue else { throw Self.error("The value is no reference.") }
    if uid == 0 { return nil }
    guard let value = archive.resolve(field) else { throw Self.error("There is no object \(uid).") }
    guard case .dictionary = value else { return try plain(value, allowed) }
    guard let archived = archive.object(uid) else { throw Self.error("Object \(uid) has no class.") }
    let type: AnyClass = try self.type(of: archived)
    try check(type, allowed)
    if let known = decoded[uid] { return known }
    guard frames.count < ArchiveCheck.maximumDepth else { throw Self.error("Objects are within each other too deep.") }
    guard underway.insert(uid).inserted else { throw Self.error("Object \(uid) contains itself.") }
    frames.append(Frame(object: archived, allowed: allowed))
    defer {
      frames.removeLast()
      underway.remove(uid)
    }
    let object = try StackRoom.extended { try make(type, archived) }
    if let problem { throw problem }
    decoded[uid] = object
    return object
  }

  private func plain(_ value: PropertyListValue, _ allowed: [AnyClass]?) throws -> Any {
    let object: NSObject
    switch value {
    case .string(let text): object = NSString(string: text)
    case .bool(let flag): object = NSNumber(value: flag)
    case .integer(let number): object = NSNumber(value: number)
    case .unsigned(let number): object = NSNumber(value: number)
    case .real(let number): object = NSNumber(value: number)
    case .data(let data): object = NSData(data: data)
    case .date(let seconds): object = NSDate(timeIntervalSinceReferenceDate: seconds)
    case .uid, .array, .dictionary: throw Self.error("A list of properties stands where an object should.")
    }
    try check(Swift.type(of: object), allowed)
    return object
  }

  private func type(of archived: ArchivedObject) throws -> AnyClass {
    for name in [archived.className] + archived.ancestors {
      if name == "NSDecimalNumberPlaceholder" { return NSDecimalNumber.self }
      if let type = NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name) { return type }
    }
    throw Self.error("There is no class \(archived.className).")
  }

  private func check(_ type: AnyClass, _ allowed: [AnyClass]?) throws {
    guard let allowed else { return }
    if allowed.contains(where: { (type as? NSObject.Type)?.isSubclass(of: $0) == true }) { return }
    throw Self.error("Class \(type) is not among those allowed: \(allowed).")
  }

  package override var requiresSecureCoding: Bool { frames.first?.allowed != nil }

  // MARK: Methods for initialisers

  private func field(_ key: String) -> PropertyListValue? { frames.last?.object.fields[key] }

  private func number<T>(_ key: String, _ none: T, _ read: (PropertyListValue) -> T?) -> T {
    guard let value = field(key).flatMap(archive.resolve) else { return none }
    guard let number = read(value) else {
      failWithError(Self.error("The field \(key) does not hold the number that is asked for."))
      return none
    }
    return number
  }

  package override var allowsKeyedCoding: Bool { true }
  package override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
  package override var allowedClasses: [AnyClass]? { frames.last?.allowed }

  package override func decodeValue(ofObjCType type: UnsafePointer<Int8>, at data: UnsafeMutableRawPointer) {
    failWithError(Self.error("The archive has keys, and its values can be decoded only by them."))
  }

  package override func decodeObject() -> Any? {
    failWithError(Self.error("The archive has keys, and its objects can be decoded only by them."))
    return nil
  }

  package override func containsValue(forKey key: String) -> Bool { field(key) != nil }

  package override func decodeObject(forKey key: String) -> Any? { decode(field(key), of: allowedClasses) }

  package override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
    decode(field(key), of: classes ?? allowedClasses)
  }

  package override func decodeObject<DecodedObjectType: NSObject & NSCoding>(
    of cls: DecodedObjectType.Type, forKey key: String
  ) -> DecodedObjectType? {
    decode(field(key), of: [cls]) as? DecodedObjectType
  }

  package override func decodePropertyList(forKey key: String) -> Any? { decode(field(key), of: Self.propertyLists) }

  package override func decodeBool(forKey key: String) -> Bool { number(key, false, \.boolValue) }

  package override func decodeCInt(forKey key: String) -> Int32 { decodeInt32(forKey: key) }

  package override func decodeInt32(forKey key: String) -> Int32 {
    number(key, 0) { $0.integerValue.flatMap(Int32.init(exactly:)) }
  }

  package override func decodeInt64(forKey key: String) -> Int64 { number(key, 0, \.integerValue) }

  package override func decodeInteger(forKey key: String) -> Int { Int(decodeInt64(forKey: key)) }

  package override func decodeFloat(forKey key: String) -> Float { Float(decodeDouble(forKey: key)) }

  package override func decodeDouble(forKey key: String) -> Double {
    number(key, 0) { value in
      if case .real(let number) = value { return number }
      return value.integerValue.map(Double.init)
    }
  }

  package override func withDecodedUnsafeBufferPointer<ResultType>(
    forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> ResultType
  ) rethrows -> ResultType {
    guard let value = field(key).flatMap(archive.resolve) else { return try body(nil) }
    let data = value.dataValue ?? decode(field(key), of: [NSData.self]) as? Data
    if data == nil { failWithError(Self.error("The field \(key) holds no bytes.")) }
    // The bytes are copied into an array, which is contiguous and shares no memory with the data.
    return try data.map(Array.init)?.withUnsafeBufferPointer { try body($0) } ?? body(nil)
  }
}
