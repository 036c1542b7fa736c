extension AnyKeyPath {
  /// The key or key path of key-value coding that a Swift key path stands for; nil if it is unknown.
  ///
  /// It replaces the standard library's member of the same name, which is nil for every key path on systems without the
  /// Objective-C run time. Names are known for the managed properties of a model's classes, for properties that generated code
  /// or `NSKeyValueCoding.keyValueProperties` lists, for stored properties, for paths through several of these, and for key
  /// paths that were passed to `OCDRegisterKeyPath(_:name:)`.
  public var _kvcKeyPathString: String? { KeyPathNames.name(of: self) }
}
