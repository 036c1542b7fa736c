//
//  Sorting.swift
//  Layers
//

import Foundation

/// Uses what Foundation lacks, but shows none of it.
struct Sorting {

    private let transformer: ValueTransformer? = nil

    var isPlain: Bool { return transformer == nil }

}

extension Task {

    @objc fileprivate var shortTitle: String { return String(title?.prefix(1) ?? "") }

}
