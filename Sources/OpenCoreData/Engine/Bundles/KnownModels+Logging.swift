extension KnownModels {
  /// Logs that a place has no model, and which bundles have models.
  static func logMissing(_ place: String) {
    FrameworkLog.write(.warning, "There is no model in \(place). \(text(of: BundleModels.urls(in: nil)))")
  }
}
