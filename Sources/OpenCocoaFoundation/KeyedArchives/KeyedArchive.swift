import Foundation

/// The objects of a keyed archive. An object refers to others by their numbers, so that objects in a cycle need no special
/// treatment.
package struct KeyedArchive {
  private let objects: [PropertyListValue]
  /// The number of the root object.
  package let root: Int

  /// Reads an archive.
  /// - Throws: `ArchiveProblem`.
  package init(_ data: Data) throws {
    guard let top = try BinaryPropertyListReader.read(data).dictionaryValue,
      top["$archiver"]?.stringValue == "NSKeyedArchiver", let objects = top["$objects"]?.arrayValue,
      let root = top["$top"]?.dictionaryValue?["root"]?.uidValue, root < objects.count
    else { throw ArchiveProblem("The file is no keyed archive.") }
    self.objects = objects
    self.root = root
  }

  /// Returns the object that a UID refers to, or the value itself if it is no UID; nil for the null object and for a UID
  /// without an object.
  package func resolve(_ value: PropertyListValue?) -> PropertyListValue? {
    guard let uid = value?.uidValue else { return value }
    return uid > 0 && uid < objects.count ? objects[uid] : nil
  }

  /// Returns the object with the given number; nil if there is none, or if it has no class.
  package func object(_ uid: Int?) -> ArchivedObject? {
    guard let uid, uid > 0, uid < objects.count, let fields = objects[uid].dictionaryValue,
      let type = resolve(fields["$class"])?.dictionaryValue, let name = type["$classname"]?.stringValue
    else { return nil }
    let ancestors = type["$classes"]?.arrayValue?.compactMap(\.stringValue) ?? []
    return ArchivedObject(archive: self, uid: uid, className: name, ancestors: ancestors, fields: fields)
  }
}

/// An object of a keyed archive: its class and its fields.
package struct ArchivedObject {
  package let archive: KeyedArchive
  package let uid: Int
  package let className: String
  /// The names of the class and its superclasses.
  package let ancestors: [String]
  package let fields: [String: PropertyListValue]

  /// Whether the object's class or one of its superclasses has the given name.
  package func isKind(of name: String) -> Bool { className == name || ancestors.contains(name) }

  /// The object that a field refers to.
  package func object(_ key: String) -> ArchivedObject? { archive.object(fields[key]?.uidValue) }

  /// The text that a field holds or refers to.
  package func string(_ key: String) -> String? { archive.string(fields[key]) }

  /// The truth value of a field; false if the field has none.
  package func bool(_ key: String) -> Bool { archive.resolve(fields[key])?.boolValue ?? false }

  /// The number of a field; 0 if the field has none.
  package func integer(_ key: String) -> Int { archive.resolve(fields[key])?.integerValue.map(Int.init) ?? 0 }

  /// The elements of the array or set that a field refers to; empty if it refers to neither.
  package func elements(_ key: String) -> [PropertyListValue] { object(key)?.fields["NS.objects"]?.arrayValue ?? [] }

  /// The entries of the dictionary that a field refers to; empty if it refers to none.
  package func entries(_ key: String) -> [(key: String, value: PropertyListValue)] {
    guard let dictionary = object(key) else { return [] }
    if dictionary.isKind(of: "NSKnownKeysDictionary") {
      let keys = dictionary.object("searchMapping")?.elements("keys") ?? []
      return pairs(keys, dictionary.elements("values"))
    }
    return pairs(dictionary.fields["NS.keys"]?.arrayValue ?? [], dictionary.fields["NS.objects"]?.arrayValue ?? [])
  }

  private func pairs(
    _ keys: [PropertyListValue], _ values: [PropertyListValue]
  ) -> [(key: String, value: PropertyListValue)] {
    zip(keys, values).compactMap { key, value in archive.string(key).map { ($0, value) } }
  }
}

extension KeyedArchive {
  /// Returns the text that a value is or refers to, also if it is in a mutable string; else nil.
  package func string(_ value: PropertyListValue?) -> String? {
    if let text = resolve(value)?.stringValue { return text }
    return object(value?.uidValue).flatMap { resolve($0.fields["NS.string"])?.stringValue }
  }
}
