//
//  PropertyKey.swift
//  Repository
//

import CoreData

/// A property's name, typed.
public protocol PropertyKey: Hashable, Sendable {
  var name: String { get }
}

extension PropertyKey where Self: RawRepresentable, RawValue == String {
  public var name: String { rawValue }
}

public struct KeyValueProperty<Key: PropertyKey> {
  public var key: Key
  public var value: Any?

  public init(_ key: Key, _ value: Any?) {
    self.key = key
    self.value = value
  }
}

public enum BookKey: String, PropertyKey {
  case identifier, title, pages, writer
}

public enum WriterKey: String, PropertyKey {
  case identifier, name
}

/// Other names that a framework might have taken.
public struct Snapshot { public var rows: [RowCache] = [] }
public struct RowCache { public var key: IdentityMap.Key }
public enum IdentityMap { public typealias Key = Int64 }
public struct PredicateFormatError: Error { public init() {} }
public struct FetchedPages<Element> { public var elements: [Element] }
public protocol CallableByName { func call(_ name: String) -> Any? }
public final class ModelRegistry { public static let shared = ModelRegistry() }
public enum MethodCall { case call(String) }
public enum ValidationError: Error { case empty }
public struct StoreOptions: Sendable { public var isReadOnly = false }
public typealias Change = Difference
public struct Difference { public var key: String }
extension ModelRegistry: @unchecked Sendable {}
