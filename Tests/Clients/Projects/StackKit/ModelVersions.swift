//
//  ModelVersions.swift
//  StackKit
//

import CoreData

/// The versions of a model, as a migrator lists them.
public struct ModelVersions {

    public let bundle: Bundle
    public let modelName: String

    public init(modelName: String, bundle: Bundle = Bundle.main) {
        self.modelName = modelName
        self.bundle = bundle
    }

    public var names: [String] {
        let urls = bundle.urls(forResourcesWithExtension: "mom", subdirectory: modelName + ".momd") ?? []
        return urls.map { $0.deletingPathExtension().lastPathComponent }.sorted()
    }

    public func model(named version: String) -> NSManagedObjectModel? {
        return bundle.url(forResource: version, withExtension: "mom", subdirectory: "\(modelName).momd")
            .flatMap { NSManagedObjectModel(contentsOf: $0) }
    }

    public func path(ofModel name: String) -> String? {
        return bundle.path(forResource: name, ofType: "momd")
    }

}
