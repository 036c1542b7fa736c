extension AnyKeyPath {
  /// The key, or key path, of key-value coding that a Swift key path stands for; nil where none is known.
  ///
  /// It stands in for the standard library's member of the same name, which gives nil for every key path on systems without
  /// the Objective-C run time. Known are the managed properties of a model's classes, what generated code lists, what
  /// `NSKeyValueCoding.keyValueProperties` lists, stored properties' paths through these, and what `OCDRegisterKeyPath(_:name:)`
  /// was told.
  public var _kvcKeyPathString: String? { KeyPathNames.name(of: self) }
}
